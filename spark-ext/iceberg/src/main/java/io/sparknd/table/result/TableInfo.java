/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.result;

import io.sparknd.table.options.ValueLayout;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.OptionalLong;

/**
 * The contents of a table at a snapshot, in numbers.
 *
 * @param rowsPerBlock entries of the first dimension in a partition of the table
 * @param blocks blocks that have rows
 * @param rows rows that were written
 * @param bytes bytes of the data files
 */
public record TableInfo(
    String name,
    DType dtype,
    Shape shape,
    ValueLayout layout,
    long rowsPerBlock,
    OptionalLong snapshot,
    long blocks,
    long rows,
    long dataFiles,
    long deletionVectors,
    long bytes) {}
