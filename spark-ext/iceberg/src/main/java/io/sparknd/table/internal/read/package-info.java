/* SPDX-License-Identifier: Apache-2.0 */
/** Reads tensor tables at a snapshot, as rows, as gathered slices or as features. */
package io.sparknd.table.internal.read;
