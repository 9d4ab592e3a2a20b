/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Replaces a scatter whose slices nothing uses by a scatter of one byte for each update into zeros.
 * It returns the same indices and raises the errors of the updates' indices and duplicates, but
 * reads neither the tensor nor the values of updates. Unless duplicates are errors, or few slices
 * are returned, the updates stay where they are read.
 */
final class UnusedSlices {
  private static final String BYTE = "value";

  private UnusedSlices() {}

  /** Returns the query without its slices, or as it is if updates have other index columns. */
  static TensorQuery without(TensorQuery query, ScatterOperation scatter) {
    List<Integer> indices = scatter.updates().indices();
    int depth = scatter.depth();
    boolean sameDepth = indices.size() == depth && indices.stream().distinct().count() == depth;
    if (!sameDepth || scatter.updates().isValueUnused()) {
      return query;
    }
    StructType schema =
        new StructType(Arrays.copyOf(scatter.schema().fields(), depth))
            .add(BYTE, DataTypes.ByteType, false);
    List<String> names = List.of(schema.fieldNames());
    List<Integer> first = IntStream.range(0, depth).boxed().toList();
    ScatterRows bytes =
        new ScatterRows(
            null,
            DType.INT8,
            scatter.outer(),
            Scatter.max() // its result does not depend on the order of updates
                .withIndices(scatter.how().indices())
                .withDuplicates(scatter.how().duplicates()),
            new SliceOrdinals(first, depth, List.of(), SliceOrdinals.ValueFound.UNUSED),
            names,
            schema,
            new ValueEncoding.Plain(),
            scatter.range(),
            null);
    List<Attribute> output = new ArrayList<>(query.columns().subList(0, depth));
    output.add(TensorQuery.attributes(schema).get(depth));
    return query.with(bytes, List.of(updates(query.last(), indices)), output);
  }

  private static LogicalPlan updates(LogicalPlan updates, List<Integer> indices) {
    List<Attribute> columns = ScalaSeqs.list(updates.output());
    List<NamedExpression> shown = new ArrayList<>();
    indices.forEach(i -> shown.add(columns.get(i)));
    shown.add(TensorQuery.alias(new Literal((byte) 0, DataTypes.ByteType), BYTE));
    return TensorQuery.project(shown, updates);
  }
}
