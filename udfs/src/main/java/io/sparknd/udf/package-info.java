/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Scalar SQL functions on one tensor per row, stored in nested arrays or in {@code struct<shape:
 * array<bigint>, values: array<T>>}.
 *
 * <p>{@link io.sparknd.udf.UdfExtensions} registers them in a session. The other classes are the
 * same operators as single Java functions, for {@code spark.udf().registerJava} where a session
 * cannot be extended. They take and return boxed values, and the caller specifies the result type.
 */
package io.sparknd.udf;
