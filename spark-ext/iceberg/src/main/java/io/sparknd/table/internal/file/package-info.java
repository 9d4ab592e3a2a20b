/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The data files of a tensor table: reads rows of a block from Parquet to primitive arrays, and
 * writes them. Not for users.
 */
@NullMarked
package io.sparknd.table.internal.file;

import org.jspecify.annotations.NullMarked;
