/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF3;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import scala.collection.Seq;

/** Benchmarks U1 and U2: one tensor per row, compared with Spark's higher-order array functions. */
final class RowTensors {
  private static final String MAP =
      "transform(array(map_from_arrays(transform(indices, x -> x[0]), updates)),"
          + " m -> transform(tensor, (row, i) -> coalesce(try_element_at(m, i), row)))[0]";
  private static final String FOUND =
      "try_element_at(updates, nullif(int(array_position(indices, array(i))), 0))";
  private static final String UPDATE_BY_POSITION =
      "transform(tensor, (row, i) -> coalesce(" + FOUND + ", row))";
  private static final String ADD_BY_POSITION =
      "transform(tensor, (row, i) -> coalesce(zip_with(row, " + FOUND + ", (a, b) -> a + b), row))";
  private static final String UPDATE_BY_UPDATE =
      "aggregate(arrays_zip(indices, updates), tensor, (t, u) ->"
          + " transform(t, (row, i) -> if(i = u.indices[0], u.updates, row)))";
  private static final String ADD_BY_UPDATE =
      "aggregate(arrays_zip(indices, updates), tensor, (t, u) -> transform(t, (row, i) ->"
          + " if(i = u.indices[0], zip_with(row, u.updates, (a, b) -> a + b), row)))";
  private static final String ADD_BY_ROW =
      "transform(tensor, (row, i) -> aggregate(filter(arrays_zip(indices, updates),"
          + " u -> u.indices[0] = i), row, (r, u) -> zip_with(r, u.updates, (a, b) -> a + b)))";

  private final QueryInputs inputs;

  RowTensors(QueryInputs inputs) {
    this.inputs = inputs;
  }

  List<SparkWork> works() {
    return List.of(
        new SparkWork("U1", "update slices, a tensor a row in memory", 1 / 5.0, this::update),
        new SparkWork("U2", "add to slices, a tensor a row in memory", 1 / 5.0, this::add));
  }

  private List<SparkPeer> update() {
    Dataset<Row> rows = resident();
    return List.of(
        Query.ours(() -> select(rows, "tensor_scatter_nd_update(tensor, indices, updates)")),
        Query.peer("map_from_arrays + transform", () -> select(rows, MAP)),
        Query.peer("array_position + transform", () -> select(rows, UPDATE_BY_POSITION)),
        Query.peer("aggregate + transform", () -> select(rows, UPDATE_BY_UPDATE)),
        Query.peer("loops in a Java UDF", () -> loops(rows, (element, update) -> update)));
  }

  private List<SparkPeer> add() {
    Dataset<Row> rows = resident();
    return List.of(
        Query.ours(() -> select(rows, "tensor_scatter_nd_add(tensor, indices, updates)")),
        Query.peer("array_position + zip_with", () -> select(rows, ADD_BY_POSITION)),
        Query.peer("aggregate + zip_with", () -> select(rows, ADD_BY_UPDATE)),
        Query.peer("filter + aggregate + zip_with", () -> select(rows, ADD_BY_ROW)),
        Query.peer("loops in a Java UDF", () -> loops(rows, Float::sum)));
  }

  /** Caches the rows, because reading nested arrays from files takes longer than the benchmark. */
  private Dataset<Row> resident() {
    Dataset<Row> rows = inputs.rowTensors().cache();
    rows.count();
    return rows;
  }

  private static Dataset<Row> select(Dataset<Row> rows, String expression) {
    return rows.selectExpr("id", expression + " AS value");
  }

  /** Combines an element and an update. */
  @FunctionalInterface
  private interface Step extends java.io.Serializable {
    float apply(float element, float update);
  }

  /** The reference implementation as loops; its result is also the expected one. */
  private static Dataset<Row> loops(Dataset<Row> rows, Step step) {
    UDF3<Seq<Seq<Float>>, Seq<Seq<Integer>>, Seq<Seq<Float>>, float[][]> scatter =
        (tensor, indices, updates) -> {
          float[][] result = new float[tensor.size()][];
          for (int row = 0; row < result.length; row++) {
            result[row] = floats(tensor.apply(row));
          }
          for (int i = 0; i < indices.size(); i++) {
            float[] target = result[indices.apply(i).apply(0)];
            float[] update = floats(updates.apply(i));
            for (int j = 0; j < target.length; j++) {
              target[j] = step.apply(target[j], update[j]);
            }
          }
          return result;
        };
    return rows.select(
        functions.col("id"),
        functions
            .udf(scatter, DataTypes.createArrayType(DataTypes.createArrayType(DataTypes.FloatType)))
            .apply(functions.col("tensor"), functions.col("indices"), functions.col("updates"))
            .as("value"));
  }

  private static float[] floats(Seq<Float> row) {
    float[] values = new float[row.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = row.apply(i);
    }
    return values;
  }
}
