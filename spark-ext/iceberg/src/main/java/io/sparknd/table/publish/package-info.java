/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Online stores to which {@link io.sparknd.table.FeatureTable#publish} and {@link
 * io.sparknd.table.TensorTable#publish} send rows.
 */
@NullMarked
package io.sparknd.table.publish;

import org.jspecify.annotations.NullMarked;
