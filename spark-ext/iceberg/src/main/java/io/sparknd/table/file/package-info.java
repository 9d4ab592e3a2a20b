/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The files of a tensor's table: rows of a block as primitive arrays, read from Parquet and written
 * to it. Not for users.
 */
package io.sparknd.table.file;
