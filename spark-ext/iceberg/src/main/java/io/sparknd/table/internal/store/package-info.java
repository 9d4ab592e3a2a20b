/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Stored form of a tensor table: its properties, and the files of its blocks at a snapshot. Not for
 * users.
 */
@NullMarked
package io.sparknd.table.internal.store;

import org.jspecify.annotations.NullMarked;
