/* SPDX-License-Identifier: Apache-2.0 */
/** Reductions that variables of a feature table declare, and the interface of custom ones. */
@NullMarked
package io.sparknd.table.reduction;

import org.jspecify.annotations.NullMarked;
