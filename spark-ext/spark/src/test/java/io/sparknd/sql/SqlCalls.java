/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.SqlRows;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.op.BadIndices;
import io.sparknd.op.GatherCall;
import io.sparknd.op.HalfRounding;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Indexing;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.tensor.Complex;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Runs calls as SQL statements on views and converts their rows to tensors.
 *
 * @param session its views {@code tensor}, {@code updates} and {@code indices} are replaced
 * @param disguise rewrites the query of every view to another one with the same rows
 */
public record SqlCalls(SparkSession session, UnaryOperator<Dataset<Row>> disguise) {
  private static final Set<Reduction> NAMED =
      Set.of(
          Reduction.NONE,
          Reduction.ADD,
          Reduction.SUB,
          Reduction.MUL,
          Reduction.MIN,
          Reduction.MAX);

  public static SqlCalls plain() {
    return new SqlCalls(LocalSpark.session().newSession(), UnaryOperator.identity());
  }

  /** Whether a table function supports this scatter into a tensor. */
  public static boolean isOffered(ScatterCall call) {
    return NAMED.contains(call.how().reduction()) && isByRows(call);
  }

  /**
   * Whether {@code scatter_nd} supports this scatter into zeros. Strings that are compared do not
   * start from empty strings.
   */
  public static boolean isOfferedIntoZeros(ScatterCall call) {
    boolean startsFromNull =
        switch (call.how().reduction()) {
          case MIN, MAX, FMIN, FMAX -> call.updates().dtype() == DType.STRING;
          default -> false;
        };
    return isByRows(call) && !startsFromNull;
  }

  private static boolean isByRows(ScatterCall call) {
    return call.where().equals(Indexing.tuples()) && isTable(call.indices()) && isByStep(call);
  }

  /** Whether sums and products round as in SQL, which has no parameter for it. */
  private static boolean isByStep(ScatterCall call) {
    return !HalfFloats.isHalf(call.updates().dtype())
        || call.how().rounding() == HalfRounding.EACH_STEP;
  }

  /** Whether {@code gather_nd} supports this gather. */
  public static boolean isOffered(GatherCall call) {
    return call.where() instanceof Indexing.Tuples && isTable(call.indices());
  }

  /** Whether the indices fit int64 columns. */
  private static boolean isTable(Tensor indices) {
    return indices.dtype() != DType.UINT64 && indices.dtype().isInteger();
  }

  public Tensor scatter(Tensor data, ScatterCall call) {
    call.plan(data.dtype(), data.shape());
    int depth = SqlRows.depth(call.indices());
    view("tensor", rows(data, depth));
    Reduction reduction = call.how().reduction();
    String word = reduction == Reduction.NONE ? "update" : reduction.toString();
    return scattered("tensor_scatter_nd_" + word + "(TABLE(tensor), ", data.shape(), call, "");
  }

  public Tensor scatterIntoZeros(Shape shape, ScatterCall call) {
    call.plan(call.updates().dtype(), shape);
    String reduction = ", reduction => '" + call.how().reduction() + "'";
    return scattered("scatter_nd(", shape, call, reduction);
  }

  private Tensor scattered(String head, Shape shape, ScatterCall call, String more) {
    int depth = SqlRows.depth(call.indices());
    Shape slice = shape.from(depth);
    DType dtype = call.updates().dtype();
    view("updates", SqlRows.updates(SqlRows.updates(call, slice), depth, dtype, slice));
    String policies =
        more
            + ", order_by => 'place', duplicates => '"
            + call.how().duplicates()
            + "'"
            + policies(call.how().indices())
            + self(call.how());
    String statement =
        "SELECT * FROM "
            + head
            + "TABLE(updates), shape => "
            + array(shape)
            + ", dtype => '"
            + dtype
            + "'"
            + policies
            + ")";
    return tensor(session.sql(statement), depth, dtype, shape);
  }

  public Tensor gather(Tensor data, GatherCall call) {
    int batchDims = ((Indexing.Tuples) call.where()).batchDims();
    Tensor tuples = withBatch(call.indices(), batchDims);
    Shape result = call.plan(data.shape()).updates();
    int depth = SqlRows.depth(tuples);
    view("tensor", rows(data, data.shape().rank()));
    view("indices", SqlRows.requests(tuples));
    String columns =
        SqlRows.indexNames(depth).stream()
            .map(n -> "'" + n + "'")
            .collect(Collectors.joining(", ", "array(", ")"));
    String statement =
        "SELECT place, value FROM gather_nd(TABLE(tensor), TABLE(indices), "
            + array(data.shape())
            + ", "
            + batchDims
            + ", dtype => '"
            + data.dtype()
            + "'"
            + (depth == data.shape().rank() ? "" : ", index_columns => " + columns)
            + policies(call.how().indices())
            + ")";
    Shape flat = Shape.of(SqlRows.slots(tuples)).concat(data.shape().from(depth));
    Dataset<Row> rows = session.sql(statement).withColumnRenamed("place", "i0");
    return tensor(rows, 1, data.dtype(), flat).reshape(result);
  }

  /** Returns tuples with the coordinates of their batch in front. */
  private static Tensor withBatch(Tensor indices, int batchDims) {
    if (batchDims == 0) {
      return indices;
    }
    int depth = SqlRows.depth(indices);
    int slots = SqlRows.slots(indices);
    Shape batch = indices.shape().first(batchDims);
    long perBatch = slots / Math.max(1, batch.elements());
    long[] values = new long[slots * (batchDims + depth)];
    for (int slot = 0; slot < slots; slot++) {
      long[] at = batch.coordinates(slot / perBatch);
      int to = slot * (batchDims + depth);
      System.arraycopy(at, 0, values, to, batchDims);
      for (int d = 0; d < depth; d++) {
        values[to + batchDims + d] = ((Number) indices.element(slot * depth + d)).longValue();
      }
    }
    return Tensor.of(Shape.of(slots, batchDims + depth), values);
  }

  private static String policies(IndexPolicy policy) {
    String negative = policy.negative().name().toLowerCase(Locale.ROOT);
    String bad =
        policy.bad() instanceof BadIndices.Fill fill
            ? ", fill => " + literal(fill.value())
            : ", bad_indices => '" + policy.bad() + "'";
    return bad + ", negative => '" + (negative.equals("out_of_bounds") ? "oob" : negative) + "'";
  }

  /** Returns the argument that excludes elements; {@code none} replaces them without it. */
  private static String self(Scatter how) {
    boolean excluded = how.self() == IncludeSelf.EXCLUDED && how.reduction() != Reduction.NONE;
    return excluded ? ", include_self => false" : "";
  }

  private static String literal(Object value) {
    if (value instanceof Complex complex) {
      return "struct(" + literal(complex.real()) + ", " + literal(complex.imaginary()) + ")";
    }
    return value instanceof String || value instanceof Double
        ? (value instanceof Double ? "double" : "") + "('" + value + "')"
        : value.toString();
  }

  private static String array(Shape shape) {
    return Arrays.stream(shape.dims())
        .mapToObj(dim -> dim + "L")
        .collect(Collectors.joining(", ", "array(", ")"));
  }

  private Dataset<Row> rows(Tensor tensor, int depth) {
    return DistributedTensor.of(session, tensor, Partitioning.of(2)).toDataset(depth);
  }

  private void view(String name, Dataset<Row> rows) {
    disguise.apply(moved(rows)).createOrReplaceTempView(name);
  }

  private Dataset<Row> moved(Dataset<Row> rows) {
    return session.createDataFrame(rows.javaRDD(), rows.schema());
  }

  private static Tensor tensor(Dataset<Row> rows, int depth, DType dtype, Shape shape) {
    List<String> names = SqlRows.indexNames(depth);
    assertColumns(rows, names);
    return DistributedTensor.fromDataset(
            rows, SqlRows.columns(depth), dtype, shape, Partitioning.of(2))
        .collect();
  }

  private static void assertColumns(Dataset<Row> rows, List<String> indices) {
    List<String> columns = Arrays.asList(rows.columns());
    if (!columns.subList(0, indices.size()).equals(indices)
        || !columns.get(indices.size()).equals("value")) {
      throw new AssertionError("columns are " + columns);
    }
  }
}
