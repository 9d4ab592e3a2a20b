/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Results of calls to {@link io.sparknd.table.TensorTable} and {@link
 * io.sparknd.table.FeatureTable}.
 */
@NullMarked
package io.sparknd.table.result;

import org.jspecify.annotations.NullMarked;
