/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.nearest;

import io.sparknd.cluster.internal.columnar.ListColumn;
import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.embedding.internal.EmbeddingErrors;
import java.io.Serializable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;

/** The columns of queries, as tasks read them. */
record QueryColumns(int id, DataType idType, int vector, DataType vectorType)
    implements Serializable {
  static final String ID = "id";
  static final String EMBEDDING = "embedding";

  /**
   * Resolves and checks the columns.
   *
   * @throws io.sparknd.tensor.SparkNdException if a column is missing or has the wrong type
   */
  static QueryColumns of(Dataset<Row> queries) {
    ColumnNameMatcher names = ColumnNameMatcher.in(queries);
    int id = names.ordinal(queries.columns(), ID);
    int vector = names.ordinal(queries.columns(), EMBEDDING);
    DataType idType = queries.schema().apply(id).dataType();
    DataType vectorType = queries.schema().apply(vector).dataType();
    if (!ListColumn.isPlain(idType) || !ListColumn.areIntegers(idType)) {
      throw EmbeddingErrors.queryIdColumn(ID, idType.simpleString());
    }
    if (ListColumn.isPlain(vectorType) || !ListColumn.areNumbers(vectorType)) {
      throw EmbeddingErrors.queryVectorColumn(EMBEDDING, vectorType.simpleString());
    }
    return new QueryColumns(id, idType, vector, vectorType);
  }

  ListColumn.Integers ids() {
    return new ListColumn.Integers(id, idType);
  }

  ListColumn.Numbers vectors() {
    return new ListColumn.Numbers(vector, vectorType);
  }
}
