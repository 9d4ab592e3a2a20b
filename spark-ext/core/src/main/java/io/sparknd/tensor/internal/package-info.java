/* SPDX-License-Identifier: Apache-2.0 */
/** Files that local tensors are written to. Not for use outside SparkND. */
@org.jspecify.annotations.NullMarked
package io.sparknd.tensor.internal;
