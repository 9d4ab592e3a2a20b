/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** One scatter of a commit, with its rows not read yet. */
public record StagedScatter(Scatter how, Dataset<Row> rows, TensorColumns columns) {}
