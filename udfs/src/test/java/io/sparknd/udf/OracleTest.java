/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.op.BadIndices;
import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Indexing;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.oracle.NaiveEngine;
import io.sparknd.oracle.RandomCalls;
import io.sparknd.oracle.TestSamples;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests every function against the oracle, for all element types, ranks 1 to 4 and both
 * representations of tensors.
 */
class OracleTest {
  private static final SparkSession SPARK = LocalSpark.session();
  private static final int ROWS = 8;
  private static final List<DType> DTYPES =
      List.of(
          DType.BOOL,
          DType.INT8,
          DType.INT16,
          DType.INT32,
          DType.INT64,
          DType.FLOAT32,
          DType.FLOAT64,
          DType.STRING);

  @TempDir static Path directory;

  /** The input row: a tensor, tuples with their updates, and element indices with their updates. */
  private record Given(
      Tensor tensor, Tensor indices, Tensor updates, Tensor elements, Tensor elementUpdates) {}

  /** A SQL call with its expected result. */
  private record Asked(String sql, Function<Given, Tensor> oracle) {}

  static List<Arguments> lowRanks() {
    return ofRanks(1, 2);
  }

  static List<Arguments> someLowRanks() {
    return TestSamples.of(lowRanks(), 16);
  }

  static List<Arguments> highRanks() {
    return ofRanks(3, 4);
  }

  private static List<Arguments> ofRanks(int first, int last) {
    List<Arguments> all = new ArrayList<>();
    Random seeds = new Random();
    for (DType dtype : DTYPES) {
      for (int rank = first; rank <= last; rank++) {
        for (Held held : Held.values()) {
          for (Codegen codegen : Codegen.values()) {
            all.add(Arguments.of(dtype, rank, held, codegen, seeds.nextLong()));
          }
        }
      }
    }
    return all;
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("highRanks")
  void matchesTheOracleOfHighRank(DType dtype, int rank, Held held, Codegen codegen, long seed) {
    matchesTheOracle(dtype, rank, held, codegen, seed);
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("lowRanks")
  void matchesTheOracleOfLowRank(DType dtype, int rank, Held held, Codegen codegen, long seed) {
    matchesTheOracle(dtype, rank, held, codegen, seed);
  }

  @ParameterizedTest
  @MethodSource("someLowRanks")
  void matchesTheOracle(DType dtype, int rank, Held held, Codegen codegen, long seed) {
    Trial trial = new Trial(dtype, rank, held, new Random(seed));
    codegen.run(SPARK, () -> trial.check(trial.rows()));
  }

  static List<Arguments> files() {
    Random seeds = new Random();
    return DTYPES.stream()
        .flatMap(
            dtype ->
                IntStream.rangeClosed(1, 3)
                    .mapToObj(rank -> Arguments.of(dtype, rank, seeds.nextLong())))
        .toList();
  }

  /** Reads rows of a vectorized scan, whose arrays are columnar. */
  @Tag("slow")
  @ParameterizedTest
  @MethodSource("files")
  void matchesTheOracleOnColumnarArrays(DType dtype, int rank, long seed) {
    Trial trial = new Trial(dtype, rank, Held.NESTED, new Random(seed));
    String path = directory.resolve(dtype + "-" + rank).toString();
    trial.rows().coalesce(1).write().parquet(path);
    trial.check(SPARK.read().parquet(path).orderBy("n"));
  }

  private static final class Trial {
    private final DType dtype;
    private final int rank;
    private final Held held;
    private final Random random;
    private final int depth;
    private final int axis;
    private final IndexPolicy policy;
    private final List<Given> given = new ArrayList<>();

    Trial(DType dtype, int rank, Held held, Random random) {
      this.dtype = dtype;
      this.rank = rank;
      this.held = held;
      this.random = random;
      this.depth = random.nextInt(rank + 1);
      this.axis = random.nextInt(2 * rank) - rank;
      BadIndices bad = List.of(BadIndices.IGNORE, BadIndices.CLIP).get(random.nextInt(2));
      NegativeIndices negative =
          List.of(NegativeIndices.WRAP, NegativeIndices.OUT_OF_BOUNDS).get(random.nextInt(2));
      this.policy = new IndexPolicy(bad, negative);
      for (int row = 0; row < ROWS; row++) {
        given.add(given());
      }
    }

    private Given given() {
      Tensor tensor = RandomCalls.tensor(dtype, RandomCalls.shape(rank, random), random);
      Shape shape = tensor.shape();
      Shape slots = RandomCalls.shape(1 + depth % 2, random);
      if (shape.first(depth).elements() == 0) {
        slots = Shape.of(new long[slots.rank()]);
      }
      Tensor indices = indices(slots.concat(Shape.of(depth)), shape.dims());
      Shape updates = Indexing.tuples().plan(shape, indices.shape()).updates();
      long[] dims = shape.dims();
      int at = Math.floorMod(axis, rank);
      dims[at] = dims[at] == 0 ? 0 : 1 + random.nextInt(4);
      long[] bound = {shape.dim(at)};
      Tensor elements = indices(Shape.of(dims), bound);
      return new Given(
          tensor,
          indices,
          RandomCalls.tensor(dtype, updates, random),
          elements,
          RandomCalls.tensor(dtype, elements.shape(), random));
    }

    private Tensor indices(Shape shape, long[] bounds) {
      Tensor indices = Tensor.zeros(DType.INT64, shape);
      long[] values = (long[]) indices.array();
      int depth = shape.rank() == 0 ? 1 : (int) Math.max(1, shape.dim(shape.rank() - 1));
      for (int i = 0; i < values.length; i++) {
        long bound = bounds.length == 1 ? bounds[0] : bounds[i % depth];
        boolean odd = random.nextInt(5) == 0;
        long[] awkward = {-1, -bound, -bound - 1, bound, Integer.MIN_VALUE, Long.MAX_VALUE};
        values[i] = odd ? awkward[random.nextInt(awkward.length)] : random.nextInt((int) bound);
      }
      return indices;
    }

    Dataset<Row> rows() {
      List<StructField> fields = new ArrayList<>();
      fields.add(DataTypes.createStructField("n", DataTypes.IntegerType, false));
      int slots = given.get(0).indices().shape().rank() - 1;
      fields.add(field("t", dtype, rank));
      fields.add(field("i", DType.INT64, slots + 1));
      fields.add(field("u", dtype, slots + rank - depth));
      fields.add(field("ei", DType.INT64, rank));
      fields.add(field("eu", dtype, rank));
      fields.add(
          DataTypes.createStructField("s", DataTypes.createArrayType(DataTypes.LongType), false));
      List<Row> rows = new ArrayList<>();
      for (Given row : given) {
        rows.add(
            RowFactory.create(
                rows.size(),
                held.value(row.tensor()),
                held.value(row.indices()),
                held.value(row.updates()),
                held.value(row.elements()),
                held.value(row.elementUpdates()),
                row.tensor().shape().dims()));
      }
      return SPARK.createDataFrame(rows, new StructType(fields.toArray(StructField[]::new)));
    }

    private StructField field(String name, DType of, int depth) {
      return DataTypes.createStructField(name, held.type(of, depth), true);
    }

    void check(Dataset<Row> rows) {
      List<Asked> requested = requested();
      List<Row> results =
          rows.selectExpr(requested.stream().map(Asked::sql).toArray(String[]::new))
              .collectAsList();
      assertThat(results).hasSize(ROWS);
      for (int row = 0; row < ROWS; row++) {
        for (int i = 0; i < requested.size(); i++) {
          Tensor expected = requested.get(i).oracle().apply(given.get(row));
          assertThat(Held.list(results.get(row).get(i)))
              .as("%s of %s", requested.get(i).sql(), given.get(row))
              .isEqualTo(held.list(expected));
        }
      }
    }

    private List<Asked> requested() {
      List<Asked> all = new ArrayList<>();
      String options =
          String.format(
              ", bad_indices => '%s', negative => '%s')",
              policy.bad(), policy.negative() == NegativeIndices.WRAP ? "wrap" : "oob");
      for (Reduction reduction : Reduction.values()) {
        if (reduction.isDefinedFor(dtype)) {
          addScatters(reduction, options, all);
        }
      }
      if (Reduction.ADD.isDefinedFor(dtype)) {
        addScatterNd(options, all);
      }
      all.add(
          new Asked(
              "gather_nd(t, i, depth => " + depth + options,
              row -> gather(row.tensor(), Indexing.tuples(), row.indices())));
      Indexing elements = new Indexing.Elements(axis);
      all.add(
          new Asked(
              "gather_elements(t, ei, " + axis + options,
              row -> gather(row.tensor(), elements, row.elements())));
      return all;
    }

    private void addScatters(Reduction reduction, String policies, List<Asked> all) {
      Scatter with = Scatter.of(reduction).withIndices(policy);
      boolean excluded = reduction != Reduction.NONE && random.nextBoolean();
      Scatter how = excluded ? with.withSelf(IncludeSelf.EXCLUDED) : with;
      String options = excluded ? policies.replace(")", ", include_self => false)") : policies;
      String word = reduction == Reduction.NONE ? "update" : reduction.toString();
      if (List.of("update", "add", "sub", "mul", "min", "max").contains(word)) {
        all.add(
            new Asked(
                "tensor_scatter_nd_" + word + "(t, i, u" + options,
                row ->
                    NaiveEngine.scatter(
                        row.tensor(), ScatterCall.of(how, row.indices(), row.updates()))));
      }
      Indexing where = new Indexing.Elements(axis);
      all.add(
          new Asked(
              "scatter_elements(t, ei, eu, " + axis + ", '" + reduction + "'" + options,
              row ->
                  NaiveEngine.scatter(
                      row.tensor(),
                      new ScatterCall(how, where, row.elements(), row.elementUpdates()))));
    }

    private void addScatterNd(String options, List<Asked> all) {
      String shape = "array(" + dims(", ") + ")";
      all.add(
          new Asked(
              "scatter_nd(i, u, " + shape + options,
              row ->
                  NaiveEngine.scatter(
                      Tensor.zeros(dtype, row.tensor().shape()),
                      ScatterCall.of(
                          Scatter.add().withIndices(policy), row.indices(), row.updates()))));
      all.add(
          new Asked(
              "nd_reshape(t, array(1, 1, " + dims(" * ") + "))",
              row -> row.tensor().reshape(Shape.of(1, 1, row.tensor().elements()))));
    }

    private String dims(String between) {
      return IntStream.range(0, rank)
          .mapToObj(d -> "s[" + d + "]")
          .collect(Collectors.joining(between));
    }

    private Tensor gather(Tensor tensor, Indexing where, Tensor indices) {
      return NaiveEngine.gather(tensor, new GatherCall(new Gather(policy), where, indices));
    }
  }
}
