/* SPDX-License-Identifier: Apache-2.0 */
/** Online stores to which {@link io.sparknd.table.FeatureTable#publish} sends rows. */
@NullMarked
package io.sparknd.table.publish;

import org.jspecify.annotations.NullMarked;
