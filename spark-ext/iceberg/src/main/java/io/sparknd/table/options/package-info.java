/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Arguments of calls to {@link io.sparknd.table.TensorTable}: the description of a new table,
 * columns of features, conflict and retention policies.
 */
@NullMarked
package io.sparknd.table.options;

import org.jspecify.annotations.NullMarked;
