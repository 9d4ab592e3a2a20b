/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.tables;

import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/**
 * A tensor given as a table or query, with one row for each slice.
 *
 * @param rows at most one row for each slice
 * @param columns the index and value columns of {@code rows}
 * @param fill the element of slices without a row; null for zero, false or ""
 * @param indices the index columns alone, of the same rows in the same partitions. If present, a
 *     first pass over them determines whether slices can stay where they are read
 */
public record TableTensor(
    Dataset<Row> rows,
    TensorColumns columns,
    DType dtype,
    Shape shape,
    @Nullable Object fill,
    Optional<Dataset<Row>> indices) {}
