/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Tensors and features stored in Iceberg tables. {@link io.sparknd.table.TensorTable} and {@link
 * io.sparknd.table.FeatureTable} are the entry points; {@link io.sparknd.table.options} holds the
 * arguments of their methods, {@link io.sparknd.table.result} their results, {@link
 * io.sparknd.table.reduction} the reductions of features, {@link io.sparknd.table.publish} the
 * online stores.
 */
@NullMarked
package io.sparknd.table;

import org.jspecify.annotations.NullMarked;
