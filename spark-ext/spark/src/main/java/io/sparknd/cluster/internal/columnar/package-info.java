/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Slices in Spark's rows and columnar batches. A value column is copied as memory where Spark
 * stores it so, since {@code Row} would box every element.
 */
@NullMarked
package io.sparknd.cluster.internal.columnar;

import org.jspecify.annotations.NullMarked;
