/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.SqlRows;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.BadIndices;
import io.sparknd.op.Gather;
import io.sparknd.op.HalfRounding;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.oracle.CallOutcome;
import io.sparknd.oracle.RandomCalls;
import io.sparknd.oracle.RandomCalls.GatherCase;
import io.sparknd.oracle.RandomCalls.ScatterCase;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.table.TensorTable;
import io.sparknd.table.TestTables;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Tests tensor tables, written by procedures and read by table functions, against the oracle. */
@Tag("slow")
class KeptTensorPropertyTest {
  private static final int TRIES = 1;
  private static final int MANY = 6;

  private static final SparkSession SPARK = TestTables.spark();

  /** The type of a table. All other choices depend on the seed. */
  record Setting(DType dtype, int rank, long seed) {}

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void tablesMatchTheOracle(@ForAll("settings") Setting setting) {
    check(setting);
  }

  @Property(tries = MANY, shrinking = ShrinkingMode.OFF)
  @Tag("slow")
  void tablesMatchTheOracleInManyTries(@ForAll("settings") Setting setting) {
    check(setting);
  }

  private static void check(Setting setting) {
    SPARK.conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
    SparkSession.setActiveSession(SPARK);
    Random random = new Random(setting.seed());
    Shape shape = shape(setting.rank(), random);
    TensorTable table = TestTables.create(spec(setting.dtype(), shape, random));
    Tensor expected = filled(table);
    checkGather(table, expected, random);
    for (int step = 0; step < 2; step++) {
      expected = call(table, expected, random);
      checkGather(table, expected, random);
    }
    checkScatter(table, expected, random);
  }

  /** Runs one scatter by the procedure and the oracle; both accept or both reject it. */
  private static Tensor call(TensorTable table, Tensor before, Random random) {
    ScatterCase scatter = tupleScatter(before, random);
    CallOutcome outcome = CallOutcome.of(scatter);
    updates(scatter.call(), before).createOrReplaceTempView("kept_updates");
    String statement = statement(table, scatter.call(), random);
    if (outcome.isRejected()) {
      outcome.assertRejectedBy(() -> SPARK.sql(statement));
      return before;
    }
    Row commit = SPARK.sql(statement).first();
    assertThat(commit.<Long>getAs("updates")).isEqualTo(SqlRows.slots(scatter.call().indices()));
    return outcome.tensor();
  }

  private static String statement(TensorTable table, ScatterCall call, Random random) {
    Scatter how = call.how();
    String indices =
        SqlRows.indexNames(SqlRows.depth(call.indices())).stream()
            .map(name -> "'" + name + "'")
            .collect(Collectors.joining(", ", "array(", ")"));
    String updates = random.nextBoolean() ? "kept_updates" : "SELECT * FROM kept_updates";
    NegativeIndices negative = how.indices().negative();
    boolean excluded = how.self() == IncludeSelf.EXCLUDED && how.reduction() != Reduction.NONE;
    return "CALL nd.system.scatter_nd(table => '%s', updates => '%s', reduction => '%s',"
            .formatted(table.name(), updates, how.reduction())
        + " bad_indices => '%s', negative => '%s', duplicates => '%s', index_columns => %s,"
            .formatted(
                how.indices().bad(),
                negative == NegativeIndices.OUT_OF_BOUNDS
                    ? "oob"
                    : negative.name().toLowerCase(Locale.ROOT),
                how.duplicates(),
                indices)
        + " value_column => 'value'"
        + (excluded ? ", include_self => false" : "")
        + (random.nextBoolean() ? ", order_by => 'place')" : ")");
  }

  private static Dataset<Row> updates(ScatterCall call, Tensor target) {
    int depth = SqlRows.depth(call.indices());
    Shape slice = target.shape().from(depth);
    return SqlRows.updates(SqlRows.updates(call, slice), depth, target.dtype(), slice);
  }

  private static void checkGather(TensorTable table, Tensor expected, Random random) {
    GatherCase gather = tupleGather(expected, random);
    CallOutcome outcome = CallOutcome.of(gather);
    Gather how = gather.call().how();
    String[] names =
        SqlRows.indexNames(SqlRows.depth(gather.call().indices())).toArray(String[]::new);
    Dataset<Row> requests = SqlRows.requests(gather.call().indices()).repartition(3);
    Dataset<Row> gathered =
        GatherNd.of(SPARK.table(table.name()), requests)
            .withIndexColumns(names)
            .withBadIndices(how.indices().bad())
            .withNegativeIndices(how.indices().negative())
            .toDataset();
    if (outcome.isRejected()) {
      outcome.assertRejectedBy(gathered::collectAsList);
      return;
    }
    List<Row> answered = new ArrayList<>(gathered.collectAsList());
    answered.sort(Comparator.comparing(row -> row.<Long>getAs("place")));
    List<Object> values = new ArrayList<>();
    answered.forEach(row -> values.add(row.getAs("value")));
    assertThat(answered).hasSize(SqlRows.slots(gather.call().indices()));
    assertThat(SqlRows.flat(values)).isEqualTo(SqlRows.elements(outcome.tensor()));
  }

  /** Checks the result of a table function on the table, which must not change. */
  private static void checkScatter(TensorTable table, Tensor before, Random random) {
    ScatterCase scatter = tupleScatter(before, random);
    CallOutcome outcome = CallOutcome.of(scatter);
    ScatterCall call = scatter.call();
    Dataset<Row> after =
        TensorScatterNd.of(call.how(), SPARK.table(table.name()), updates(call, before))
            .withIndexColumns(
                SqlRows.indexNames(SqlRows.depth(call.indices())).toArray(String[]::new))
            .withValueColumn("value")
            .orderedBy("place")
            .toDataset();
    if (outcome.isRejected()) {
      outcome.assertRejectedBy(after::collectAsList);
    } else {
      TensorAssert.assertSame(tensor(after, before), outcome.tensor());
    }
    try (DistributedTensor still = table.load(Partitioning.AUTO)) {
      TensorAssert.assertSame(still.collect(), before);
    }
  }

  private static Tensor tensor(Dataset<Row> rows, Tensor like) {
    String[] names = rows.columns();
    TensorColumns columns =
        TensorColumns.of(names[names.length - 1], Arrays.copyOf(names, names.length - 1));
    try (DistributedTensor tensor =
        DistributedTensor.fromDataset(
            rows, columns, like.dtype(), like.shape(), Partitioning.AUTO)) {
      return tensor.collect();
    }
  }

  private static Tensor filled(TensorTable table) {
    try (DistributedTensor empty = table.load(Partitioning.AUTO)) {
      return empty.collect();
    }
  }

  /** Returns a scatter that SQL supports. */
  private static ScatterCase tupleScatter(Tensor data, Random random) {
    while (true) {
      ScatterCall call = RandomCalls.tupleScatter(data, random);
      boolean isSaid =
          !(call.how().indices().bad() instanceof BadIndices.Fill)
              && call.how().rounding() == HalfRounding.EACH_STEP;
      if (isSaid && call.indices().dtype() != DType.UINT64) {
        return new ScatterCase(data, call);
      }
    }
  }

  private static GatherCase tupleGather(Tensor data, Random random) {
    while (true) {
      GatherCase gather = new GatherCase(data, RandomCalls.tupleGather(data, random));
      if (gather.call().indices().dtype() != DType.UINT64
          && SqlRows.depth(gather.call().indices()) > 0) {
        return gather;
      }
    }
  }

  private static Shape shape(int rank, Random random) {
    Shape shape = RandomCalls.shape(rank, random);
    while (shape.elements() == 0) {
      shape = RandomCalls.shape(rank, random);
    }
    return shape;
  }

  private static TensorSpec spec(DType dtype, Shape shape, Random random) {
    int depth = 1 + random.nextInt(shape.rank());
    TensorSpec spec =
        TensorSpec.of(dtype, shape)
            .withIndexDepth(depth)
            .withRowsPerBlock(1 + random.nextInt((int) shape.dim(0)));
    if (random.nextBoolean()) {
      spec = spec.withFill(RandomCalls.tensor(dtype, Shape.of(1), random).element(0));
    }
    int layout = random.nextInt(3);
    if (layout == 1 && dtype != DType.STRING) {
      return spec.withBinaryValues();
    }
    return layout == 2 && depth == shape.rank() - 1
        ? spec.withFeatures(
            IntStream.range(0, (int) shape.dim(depth))
                .mapToObj(i -> "f" + i)
                .toArray(String[]::new))
        : spec;
  }

  @Provide
  Arbitrary<Setting> settings() {
    return Combinators.combine(
            Arbitraries.of(DType.class), Arbitraries.integers().between(1, 4), Arbitraries.longs())
        .as(Setting::new);
  }
}
