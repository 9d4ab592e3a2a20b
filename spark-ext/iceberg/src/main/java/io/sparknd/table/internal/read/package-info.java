/* SPDX-License-Identifier: Apache-2.0 */
/** Reads tensor tables at a snapshot, as rows, as gathered slices or as features. */
@NullMarked
package io.sparknd.table.internal.read;

import org.jspecify.annotations.NullMarked;
