/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * A tensor that is a table or query: a row a slice.
 *
 * @param rows with at most one row a slice
 * @param columns of {@code rows}
 * @param fill element of the slices that have no row; null for zero, false or ""
 * @param indices the index columns alone, of the same rows in the same partitions; where they are
 *     given, a first pass over them finds out whether slices can stay where they are read
 */
public record TableTensor(
    Dataset<Row> rows,
    TensorColumns columns,
    DType dtype,
    Shape shape,
    Object fill,
    Optional<Dataset<Row>> indices) {}
