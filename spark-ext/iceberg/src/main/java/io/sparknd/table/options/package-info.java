/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Arguments of calls to {@link io.sparknd.table.TensorTable} and {@link
 * io.sparknd.table.FeatureTable}: the definition of a new table and of its variables, columns of
 * updates, and the policies for bad keys, conflicts and retention.
 */
@NullMarked
package io.sparknd.table.options;

import org.jspecify.annotations.NullMarked;
