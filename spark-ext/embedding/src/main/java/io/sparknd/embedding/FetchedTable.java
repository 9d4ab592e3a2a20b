/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.internal.step.MiniBatchRows;
import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.embedding.lookup.LookupColumns;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Fetches rows of a table to the driver, by a lookup of lists of one id. */
final class FetchedTable {
  private static final StructType IDS =
      new StructType()
          .add("id", DataTypes.LongType)
          .add("ids", DataTypes.createArrayType(DataTypes.LongType));

  private FetchedTable() {}

  static EmbeddingRows of(EmbeddingTable table, long[] ids) {
    Map<Long, float[]> byId = new HashMap<>();
    if (ids.length > 0) {
      List<Row> lists =
          Arrays.stream(ids)
              .distinct()
              .mapToObj(id -> RowFactory.create(id, new long[] {id}))
              .toList();
      Dataset<Row> found =
          table.lookup(
              Lookup.sum(),
              table.spark().createDataFrame(lists, IDS),
              LookupColumns.of("ids").into("embedding"));
      for (Row row : found.select("id", "embedding").collectAsList()) {
        byId.put(row.getLong(0), floats(row.getList(1)));
      }
    }
    return new EmbeddingRows(MiniBatchRows.of(ids, table.dim(), 0))
        .filled(id -> Objects.requireNonNull(byId.get(id)));
  }

  private static float[] floats(List<Float> list) {
    float[] values = new float[list.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = list.get(i);
    }
    return values;
  }
}
