/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.table.internal.cell.ElementCells;

/**
 * A column to read, and the cells that receive its values.
 *
 * @param fieldId id of the column in the Iceberg schema
 */
public record CellColumn(int fieldId, String name, ElementCells target) {}
