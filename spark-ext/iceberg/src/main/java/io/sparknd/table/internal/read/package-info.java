/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Reads tables at a snapshot: tensor tables as rows, gathered slices or features; feature tables as
 * rows.
 */
@NullMarked
package io.sparknd.table.internal.read;

import org.jspecify.annotations.NullMarked;
