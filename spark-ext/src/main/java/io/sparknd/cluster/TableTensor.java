/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * A tensor that is a table or query: a row a slice, zero where there is no row.
 *
 * @param rows with at most one row a slice
 * @param columns of {@code rows}
 */
public record TableTensor(Dataset<Row> rows, TensorColumns columns, DType dtype, Shape shape) {}
