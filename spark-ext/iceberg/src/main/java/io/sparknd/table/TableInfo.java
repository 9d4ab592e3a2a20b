/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.OptionalLong;

/**
 * What a table holds at a snapshot.
 *
 * @param rowsPerBlock entries of the first dimension in a partition of the table
 * @param blocks that have rows
 * @param rows that were written
 * @param bytes of the data files
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
