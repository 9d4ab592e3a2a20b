/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.table.internal.key.KeyList;

/**
 * Keys of rows of a file.
 *
 * @param positions position of each key's row in the file, ascending
 */
public record KeyRows(KeyList keys, int[] positions) {}
