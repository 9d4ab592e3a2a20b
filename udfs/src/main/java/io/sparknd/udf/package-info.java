/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Scalar SQL functions: each row is its own tensor, in nested arrays or in {@code struct<shape:
 * array<bigint>, values: array<T>>}.
 *
 * <p>{@link io.sparknd.udf.UdfExtensions} gives them to a session. The other classes are the same
 * operators one by one, for {@code spark.udf().registerJava}, where a session cannot be extended:
 * they take and give boxed values, and the caller names the type of the result.
 */
package io.sparknd.udf;
