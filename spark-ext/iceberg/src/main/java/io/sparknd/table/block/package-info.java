/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What tasks do to the blocks of a tensor's table: rows in, updates folded into them, files out.
 * Not for users.
 */
package io.sparknd.table.block;
