/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.gather;

import static org.apache.spark.sql.functions.callUDF;
import static org.apache.spark.sql.functions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.SqlRows;
import io.sparknd.cluster.TensorInside;
import io.sparknd.cluster.options.GatherStrategy;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.oracle.RandomCalls;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Tests what the strategies of a gather by rows have in common and how they differ. */
class GatherStrategyTest {
  private static final SparkSession SPARK = LocalSpark.session();
  private static final String SETTING = "spark.sparknd.strategy";
  private static final String THRESHOLD = "spark.sql.autoBroadcastJoinThreshold";
  private static final int ROWS = 1000;

  /**
   * Counts the rows that a function has read. Static, because tasks do not share captured objects.
   */
  private static final AtomicInteger READS = new AtomicInteger();

  private static final Partitioning CUT = new Partitioning(5, 64);

  /** Row {@code i} holds {@code i} and {@code -i}. */
  private static final Tensor PAIRS = Tensor.wrap(DType.INT32, Shape.of(ROWS, 2), pairs());

  private static final Tensor NO_INDICES = Tensor.zeros(DType.INT64, Shape.of(0, 1));
  private static final Tensor NONE = Tensor.zeros(DType.INT32, Shape.of(0, 2));

  private static int[] pairs() {
    int[] pairs = new int[2 * ROWS];
    for (int i = 0; i < ROWS; i++) {
      pairs[2 * i] = i;
      pairs[2 * i + 1] = -i;
    }
    return pairs;
  }

  private static DistributedTensor pairs(GatherStrategy strategy) {
    return DistributedTensor.of(SPARK, PAIRS, CUT).withStrategy(strategy);
  }

  /** Returns rows {@code place bigint, id bigint} in four partitions; ids repeat. */
  private static Dataset<Row> lookups(int count) {
    return SPARK
        .range(0, count, 1, 4)
        .selectExpr("id AS place", "pmod(id * 7919, " + ROWS + ") AS id");
  }

  private static Dataset<Row> gathered(GatherStrategy strategy, Dataset<Row> lookups) {
    return pairs(strategy).gather(Gather.strict(), lookups, List.of("id"));
  }

  private static void assertPairs(List<Row> rows) {
    assertThat(rows)
        .allSatisfy(
            row -> {
              int id = ((Number) row.getAs("id")).intValue();
              assertThat(row.<Integer>getList(row.fieldIndex("value"))).containsExactly(id, -id);
            });
  }

  @AfterEach
  void unset() {
    SPARK.conf().unset(SETTING);
    SPARK.conf().unset(THRESHOLD);
  }

  /** The rows have strings, and the added column has nested arrays. */
  @ParameterizedTest
  @EnumSource
  void rowsOfManyLengthsAreGatheredInManyBatches(GatherStrategy strategy) {
    Tensor cubes = RandomCalls.tensor(DType.INT16, Shape.of(40, 3, 5), new Random(1));
    Dataset<Row> lookups =
        SPARK
            .range(0, 40_000, 1, 3)
            .selectExpr(
                "repeat('x', int(id % 200)) AS text",
                "id AS place", "if(id % 3 = 0, NULL, id) AS hole", "smallint(id % 40) AS id");
    List<Row> rows =
        new ArrayList<>(
            DistributedTensor.of(SPARK, cubes, new Partitioning(2, 128))
                .withStrategy(strategy)
                .gather(Gather.strict(), lookups, List.of("id"))
                .collectAsList());
    rows.sort(Comparator.comparing(row -> row.getLong(1)));
    assertThat(rows.stream().map(row -> row.getString(0) + row.get(2) + row.get(3)).toList())
        .isEqualTo(
            lookups.collectAsList().stream()
                .map(row -> row.getString(0) + row.get(2) + row.get(3))
                .toList());
    List<Object> expected = SqlRows.elements(cubes);
    for (int i = 0; i < rows.size(); i++) {
      int from = i % 40 * 15;
      assertThat(SqlRows.flat(List.of(rows.get(i).<Object>getAs("value"))))
          .isEqualTo(expected.subList(from, from + 15));
    }
  }

  @ParameterizedTest
  @EnumSource
  void noRowsGiveNoRows(GatherStrategy strategy) {
    assertThat(gathered(strategy, lookups(0)).collectAsList()).isEmpty();
    Dataset<Row> noPartitions =
        SPARK.createDataFrame(List.<Row>of(), new StructType().add("id", DataTypes.LongType));
    assertThat(noPartitions.toJavaRDD().getNumPartitions()).isZero();
    Dataset<Row> rows = gathered(strategy, noPartitions);
    assertThat(rows.columns()).containsExactly("id", "value");
    assertThat(rows.collectAsList()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void gatherFailsBeforeAnyActionAndNamesTheFirstBadRow(GatherStrategy strategy) {
    Dataset<Row> lookups =
        lookups(2000).withColumn("id", functions.expr("if(place IN (700, 1900), 1000, id)"));
    assertThatThrownBy(() -> gathered(strategy, lookups))
        .isInstanceOf(SparkNdException.class)
        .hasMessageStartingWith(
            "row 200 of partition 1 = [1000] is out of bounds for shape [1000, 2]");
  }

  @ParameterizedTest
  @EnumSource(names = {"BROADCAST_TENSOR", "SHUFFLE_SLICES"})
  void rowsKeepTheirPartitionsAndOrder(GatherStrategy strategy) {
    List<List<Row>> partitions = partitions(gathered(strategy, lookups(2000)));
    assertThat(partitions).hasSize(4);
    assertThat(partitions.stream().flatMap(List::stream).map(row -> row.getLong(0)).toList())
        .isEqualTo(lookups(2000).collectAsList().stream().map(row -> row.getLong(0)).toList());
  }

  @ParameterizedTest
  @EnumSource(names = {"BROADCAST_TENSOR", "SHUFFLE_SLICES"})
  void versionsKeepTheStrategy(GatherStrategy strategy) {
    DistributedTensor moved =
        pairs(strategy).repartition(CUT).scatter(ScatterCall.of(Scatter.add(), NO_INDICES, NONE));
    assertTaken(moved, lookups(100), strategy);
  }

  @ParameterizedTest
  @EnumSource(names = {"SHUFFLE_INDICES", "BROADCAST_INDICES"})
  void rowsHaveTheTensorsPartitionsAndKeepTheirOrder(GatherStrategy strategy) {
    List<List<Row>> partitions = partitions(gathered(strategy, lookups(2000)));
    assertThat(partitions).hasSize(CUT.partitions());
    assertThat(partitions)
        .allSatisfy(
            rows -> assertThat(rows.stream().map(row -> row.getLong(0)).toList()).isSorted());
  }

  private static List<List<Row>> partitions(Dataset<Row> rows) {
    return rows.toJavaRDD().glom().collect();
  }

  @Test
  void broadcastIndicesComputeOnlyRequestedPartitions() {
    Dataset<Row> one = lookups(2000).filter("place = 5");
    assertThat(gathered(GatherStrategy.BROADCAST_INDICES, one).toJavaRDD().getNumPartitions())
        .isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"SHUFFLE_INDICES", "BROADCAST_INDICES"})
  void inputRowsAreReadOnceEvenIfTheResultIsReadTwice(GatherStrategy strategy) {
    LongAccumulator read = SPARK.sparkContext().longAccumulator();
    Dataset<Row> rows = gathered(strategy, passedThrough("counted", counter(read)));
    assertThat(read.value()).isEqualTo(2000);
    assertPairs(rows.collectAsList());
    assertPairs(rows.collectAsList());
    assertThat(read.value()).isEqualTo(2000);
  }

  private static UDF1<Long, Long> counter(LongAccumulator read) {
    return id -> {
      read.add(1);
      return id;
    };
  }

  /** Returns {@code lookups(2000)} with ids from a nondeterministic function. */
  private static Dataset<Row> passedThrough(String name, UDF1<Long, Long> function) {
    SPARK.udf().register(name, functions.udf(function, DataTypes.LongType).asNondeterministic());
    return lookups(2000).withColumn("id", callUDF(name, col("id")));
  }

  @ParameterizedTest
  @EnumSource
  void nondeterministicRowsGetTheSlicesOfTheirOwnIds(GatherStrategy strategy) {
    Random random = new Random(3);
    Dataset<Row> lookups = passedThrough("any_row", id -> (long) random.nextInt(ROWS));
    assertPairs(gathered(strategy, lookups).collectAsList());
  }

  @Test
  void rowsThatChangeAfterTheCheckAreAnError() {
    READS.set(0);
    Dataset<Row> lookups =
        passedThrough("worse", id -> READS.incrementAndGet() > 2000 ? ROWS + id : id);
    Dataset<Row> rows = gathered(GatherStrategy.BROADCAST_TENSOR, lookups);
    assertThatThrownBy(rows::collectAsList)
        .hasStackTraceContaining("changed between the check and the gather");
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "SHUFFLE_SLICES")
  void gatherLeavesNoCachedRdd(GatherStrategy strategy) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(SPARK.sparkContext());
    Set<Integer> before = Set.copyOf(context.getPersistentRDDs().keySet());
    assertPairs(gathered(strategy, lookups(2000)).collectAsList());
    assertThat(before).containsAll(context.getPersistentRDDs().keySet());
  }

  /** The index rows, whose lineage is truncated, outlive the query that made them. */
  @Test
  void theResultOfAQueryIsReadTwice() throws TimeoutException {
    SPARK.conf().set(SETTING, "shuffle_slices");
    Dataset<Row> rows =
        SPARK.sql(
            "SELECT * FROM gather_nd(TABLE(SELECT id, id AS value FROM range(4)),"
                + " TABLE(SELECT id FROM range(4) ORDER BY rand(1)), array(4))");
    List<Row> first = rows.collectAsList();
    LocalSpark.session().sparkContext().listenerBus().waitUntilEmpty();
    assertThat(rows.collectAsList()).hasSize(4).isEqualTo(first);
  }

  @Test
  void slicesLargerThanABlockUseShuffleSlices() {
    DistributedTensor halves = DistributedTensor.of(SPARK, PAIRS, CUT.withBlockBytes(4));
    for (GatherStrategy strategy :
        List.of(
            GatherStrategy.SHUFFLE_INDICES,
            GatherStrategy.BROADCAST_INDICES,
            GatherStrategy.SHUFFLE_SLICES)) {
      assertTaken(strategy, halves, lookups(2000), GatherStrategy.SHUFFLE_SLICES);
    }
    assertTaken(
        GatherStrategy.BROADCAST_TENSOR, halves, lookups(2000), GatherStrategy.BROADCAST_TENSOR);
  }

  private static void assertTaken(
      GatherStrategy requested,
      DistributedTensor tensor,
      Dataset<Row> lookups,
      GatherStrategy taken) {
    assertTaken(tensor.withStrategy(requested), lookups, taken);
  }

  private static void assertTaken(
      DistributedTensor tensor, Dataset<Row> lookups, GatherStrategy taken) {
    Dataset<Row> rows = tensor.gather(Gather.strict(), lookups, List.of("id"));
    assertThat(rows.queryExecution().executedPlan().toString())
        .contains(taken + " of int32[1000, 2] in 5 partitions");
    assertPairs(rows.collectAsList());
  }

  @Test
  void theStrategyIsChosenBySize() {
    DistributedTensor tensor = pairs(GatherStrategy.AUTO);
    assertTaken(GatherStrategy.AUTO, tensor, lookups(100), GatherStrategy.BROADCAST_INDICES);
    assertTaken(GatherStrategy.AUTO, tensor, lookups(2000), GatherStrategy.BROADCAST_TENSOR);
    SPARK.conf().set(THRESHOLD, 4000);
    assertTaken(GatherStrategy.AUTO, tensor, lookups(100), GatherStrategy.BROADCAST_INDICES);
    assertTaken(GatherStrategy.AUTO, tensor, lookups(2000), GatherStrategy.SHUFFLE_INDICES);
    SPARK.conf().set(THRESHOLD, -1);
    assertTaken(GatherStrategy.AUTO, tensor, lookups(100), GatherStrategy.SHUFFLE_INDICES);
  }

  @Test
  void underestimatedRowsAreShuffled() {
    SPARK.conf().set(THRESHOLD, 1000);
    Dataset<Row> many = SPARK.sql("SELECT explode(sequence(0, 999)) AS id");
    assertTaken(
        GatherStrategy.AUTO, pairs(GatherStrategy.AUTO), many, GatherStrategy.SHUFFLE_INDICES);
  }

  @Test
  void rowsPastTheLimitAreNotSentToTheDriver() {
    RowGather gather =
        RowGather.of(
            TensorInside.blocks(pairs(GatherStrategy.AUTO)),
            GatherStrategy.BROADCAST_INDICES,
            Gather.strict(),
            lookups(2000),
            List.of("id"));
    assertThat(BroadcastIndices.joinedWithin(2000 * 36, 2000 * 36, gather)).isPresent();
    assertThat(BroadcastIndices.joinedWithin(2000 * 36 - 1, 2000 * 36, gather)).isEmpty();
    assertThat(BroadcastIndices.joinedWithin(2000 * 36, 500 * 36 - 1, gather)).isEmpty();
  }

  /** The rows alone fit the limit, but their serialized form does not. */
  @ParameterizedTest
  @EnumSource(names = {"BROADCAST_INDICES", "BROADCAST_TENSOR"})
  void broadcastsPastMaxResultSizeNameTheRemedy(GatherStrategy strategy) {
    boolean isTensor = strategy == GatherStrategy.BROADCAST_TENSOR;
    long bytes = isTensor ? ROWS * 8 : 2000 * 36;
    SPARK.sparkContext().conf().set("spark.driver.maxResultSize", bytes + "b");
    try {
      assertThatThrownBy(() -> gathered(strategy, lookups(2000)))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining(
              isTensor
                  ? "int32[1000, 2] in 5 partitions cannot be broadcast"
                  : "index rows cannot be broadcast")
          .hasMessageContaining("spark.driver.maxResultSize = " + bytes + " bytes: raise it");
    } finally {
      SPARK.sparkContext().conf().remove("spark.driver.maxResultSize");
    }
  }

  @Test
  void sessionSetsTheStrategyUnlessTheTensorDoes() {
    SPARK.conf().set(SETTING, "shuffle_slices");
    assertTaken(
        GatherStrategy.AUTO,
        pairs(GatherStrategy.AUTO),
        lookups(10),
        GatherStrategy.SHUFFLE_SLICES);
    assertTaken(
        GatherStrategy.SHUFFLE_INDICES,
        pairs(GatherStrategy.AUTO),
        lookups(10),
        GatherStrategy.SHUFFLE_INDICES);
    SPARK.conf().set(SETTING, "fastest");
    assertThatThrownBy(() -> gathered(GatherStrategy.AUTO, lookups(10)))
        .isInstanceOf(SparkNdException.class)
        .hasMessage(
            "strategy 'fastest' is unknown; use one of auto, shuffle_indices, broadcast_indices,"
                + " broadcast_tensor, shuffle_slices");
  }

  @Test
  void laterVersionsKeepTheStrategy() {
    Dataset<Row> updates =
        SPARK.createDataFrame(
            List.of(RowFactory.create(3L, List.of(3, -3))),
            StructType.fromDDL("id bigint, value array<int>"));
    try (DistributedTensor next =
        pairs(GatherStrategy.SHUFFLE_SLICES)
            .scatter(Scatter.update(), updates, TensorColumns.of("value", "id"))) {
      assertTaken(next, lookups(10), GatherStrategy.SHUFFLE_SLICES);
    }
  }
}
