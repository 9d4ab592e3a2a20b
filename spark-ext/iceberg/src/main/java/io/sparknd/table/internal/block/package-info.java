/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The tasks' work on the blocks of a tensor table: reading rows, folding updates into them and
 * writing files. Not for users.
 */
@NullMarked
package io.sparknd.table.internal.block;

import org.jspecify.annotations.NullMarked;
