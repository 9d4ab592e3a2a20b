/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.arrow.ArrowTensors;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.SqlRows;
import io.sparknd.cluster.TensorInside;
import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.cluster.internal.partition.RangeBlockPartitioner;
import io.sparknd.cluster.internal.rows.NumberedRows;
import io.sparknd.cluster.options.GatherStrategy;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.kernel.Kernels;
import io.sparknd.op.BadIndices;
import io.sparknd.op.Duplicates;
import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.oracle.RandomCalls;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Npy;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which tables are adopted as the partitions of a tensor, and which are shuffled. */
class TableSourceTest {
  private static final Partitioning FREE = Partitioning.AUTO.withBlockBytes(64);
  private static final TensorColumns COLUMNS = TensorColumns.of("value", "id");

  @TempDir Path folder;

  /** Returns a session in which each file is a partition, as large files are. */
  private static SparkSession session() {
    SparkSession session = LocalSpark.session().newSession();
    session.conf().set("spark.sql.files.openCostInBytes", "128MB");
    return session;
  }

  /** Writes {@code rows} in order, {@code perFile} rows to a file. */
  private Dataset<Row> files(Dataset<Row> rows, int perFile) {
    String path = folder.resolve("table").toString();
    rows.coalesce(1).write().option("maxRecordsPerFile", perFile).mode("overwrite").parquet(path);
    return session().read().parquet(path);
  }

  /** Returns rows {@code id, value} with {@code value = id * 10} of int32. */
  private static Dataset<Row> tens(String ids) {
    return LocalSpark.session()
        .sql("SELECT id, cast(id * 10 AS int) AS value FROM " + ids + " AS t(id)");
  }

  private static DistributedTensor vector(Dataset<Row> rows, int length) {
    return DistributedTensor.fromDataset(rows, COLUMNS, DType.INT32, Shape.of(length), FREE);
  }

  private static Tensor tens(int length, int... ids) {
    int[] values = new int[length];
    Arrays.stream(ids).forEach(id -> values[id] = 10 * id);
    return Tensor.of(Shape.of(length), values);
  }

  private static boolean isAdopted(DistributedTensor tensor) {
    return TensorInside.blocks(tensor).layout().rows() instanceof RangeBlockPartitioner;
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("io.sparknd.oracle.TestSamples#dtypes")
  void adoptedTensorGivesTheBitsOfAShuffledOne(DType dtype) throws IOException {
    check(dtype, new Random(dtype.ordinal()));
  }

  private void check(DType dtype, Random random) throws IOException {
    int rank = 1 + random.nextInt(3);
    Shape shape = Shape.of(random.ints(rank, 3, 9).asLongStream().toArray());
    Tensor tensor = RandomCalls.tensor(dtype, Shape.of(shape.elements()), random).reshape(shape);
    check(tensor, rank == 1 ? 1 : 1 + random.nextInt(rank - 1), random);
  }

  private void check(Tensor tensor, int depth, Random random) throws IOException {
    Column[] index = SqlRows.indexNames(depth).stream().map(functions::col).toArray(Column[]::new);
    Dataset<Row> some =
        DistributedTensor.of(LocalSpark.session(), tensor, Partitioning.of(2))
            .toDataset(depth)
            .where(functions.pmod(functions.hash(index), functions.lit(4)).notEqual(0))
            .sort(index);
    int perFile = 1 + (int) some.count() / (2 + random.nextInt(8));
    Dataset<Row> table = files(some, perFile);
    // a row of the layout is a slice
    long sliceBytes = tensor.shape().from(depth).elements() * elementBytes(tensor.dtype());
    Partitioning free = Partitioning.AUTO.withBlockBytes((int) Math.max(1, 2 * sliceBytes));
    try (DistributedTensor adopted = read(table, depth, tensor, free);
        DistributedTensor shuffled = read(table, depth, tensor, free.withPartitions(3))) {
      assertThat(isAdopted(adopted)).isEqualTo(table.javaRDD().getNumPartitions() > 1);
      assertThat(isAdopted(shuffled)).isFalse();
      assertSameInEveryWay(adopted, shuffled, random);
    }
  }

  private static int elementBytes(DType dtype) {
    return BlockLayout.elementBytes(dtype);
  }

  private static DistributedTensor read(
      Dataset<Row> table, int depth, Tensor like, Partitioning partitioning) {
    return DistributedTensor.fromDataset(
        table, SqlRows.columns(depth), like.dtype(), like.shape(), partitioning);
  }

  private void assertSameInEveryWay(
      DistributedTensor adopted, DistributedTensor shuffled, Random random) throws IOException {
    Tensor local = shuffled.collect();
    TensorAssert.assertSameBits(adopted.collect(), local);
    TensorAssert.assertSameBits(adopted.repartition(Partitioning.of(4)).collect(), local);
    for (int depth = 0; depth <= local.shape().rank(); depth++) {
      assertThat(shown(adopted.toDataset(depth))).isEqualTo(shown(shuffled.toDataset(depth)));
    }
    assertSameInFiles(adopted, local);
    ScatterCall scatter = lenient(RandomCalls.scatter(local, random));
    Tensor expected = Kernels.auto().scatter(local, scatter);
    try (DistributedTensor next = adopted.scatter(scatter)) {
      TensorAssert.assertSameBits(next.collect(), expected);
    }
    GatherCall gather = GatherCall.of(Gather.strict(), Tensor.of(Shape.of(3, 1), 2, 0, 1));
    TensorAssert.assertSameBits(
        adopted.gather(gather).collect(), Kernels.auto().gather(local, gather));
    Dataset<Row> requests = SqlRows.requests(gather.indices());
    List<String> expectedRows = shown(shuffled.gather(Gather.strict(), requests, List.of("i0")));
    for (GatherStrategy strategy : GatherStrategy.values()) {
      Dataset<Row> rows =
          adopted.withStrategy(strategy).gather(Gather.strict(), requests, List.of("i0"));
      assertThat(shown(rows)).isEqualTo(expectedRows);
    }
  }

  private static ScatterCall lenient(ScatterCall call) {
    IndexPolicy lenient = new IndexPolicy(BadIndices.IGNORE, NegativeIndices.OUT_OF_BOUNDS);
    Scatter how = call.how().withIndices(lenient).withDuplicates(Duplicates.IN_ORDER);
    return new ScatterCall(how, call.where(), call.indices(), call.updates());
  }

  private static List<String> shown(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(Row::toString).sorted().toList();
  }

  private void assertSameInFiles(DistributedTensor adopted, Tensor local) throws IOException {
    Path saved = folder.resolve("saved-" + System.nanoTime());
    adopted.save(saved.toString());
    for (Partitioning cut : List.of(Partitioning.AUTO, Partitioning.of(adopted.partitions() + 1))) {
      DistributedTensor loaded =
          DistributedTensor.load(LocalSpark.session(), saved.toString(), cut);
      assertThat(loaded.partitions() == adopted.partitions()).isEqualTo(cut.partitions() == 0);
      TensorAssert.assertSameBits(loaded.collect(), local);
    }
    Path npy = folder.resolve("tensor.npy");
    adopted.toNpy(npy);
    TensorAssert.assertSameBits(Npy.read(npy, local.dtype()), local);
    ByteArrayOutputStream arrow = new ByteArrayOutputStream();
    adopted.toArrow(arrow);
    TensorAssert.assertSameBits(
        ArrowTensors.read(new ByteArrayInputStream(arrow.toByteArray()), "the stream"), local);
  }

  @Test
  void rowsOfADatasetUpdateAndReadAnAdoptedTensor() {
    Dataset<Row> updates = tens("(VALUES 7, 93, 7, 50, 8)");
    try (DistributedTensor adopted = vector(files(tens("range(100)"), 11), 100);
        DistributedTensor next = adopted.scatter(Scatter.add(), updates, COLUMNS)) {
      assertThat(adopted.partitions()).isEqualTo(10);
      int[] expected = (int[]) tens(100, IntStream.range(0, 100).toArray()).array();
      IntStream.of(7, 93, 7, 50, 8).forEach(id -> expected[id] += 10 * id);
      TensorAssert.assertSameBits(next.collect(), Tensor.of(Shape.of(100), expected));
      List<Row> read =
          next.gather(Gather.strict(), updates.select("id"), List.of("id")).collectAsList();
      assertThat(read.stream().map(row -> row.getInt(1)).toList())
          .containsExactlyInAnyOrder(210, 1860, 210, 1000, 160);
    }
  }

  @Test
  void filesReadByOneTaskFormOnePartition() {
    Dataset<Row> table = files(tens("range(100)"), 11);
    Dataset<Row> packed =
        LocalSpark.session().newSession().read().parquet(folder.resolve("table").toString());
    assertThat(packed.javaRDD().getNumPartitions()).isLessThan(table.javaRDD().getNumPartitions());
    try (DistributedTensor adopted = vector(packed, 100)) {
      assertThat(isAdopted(adopted)).isTrue();
      assertThat(adopted.partitions()).isEqualTo(packed.javaRDD().getNumPartitions());
      TensorAssert.assertSameBits(adopted.collect(), tens(100, IntStream.range(0, 100).toArray()));
    }
  }

  @Test
  void tableWithGapsBetweenRowsIsAdopted() {
    Dataset<Row> sparse = tens("range(50000)").where("hash(id) % 16 = 0");
    int[] ids = sparse.collectAsList().stream().mapToInt(row -> (int) row.getLong(0)).toArray();
    try (DistributedTensor adopted = vector(files(sparse, 1 + ids.length / 4), 50000)) {
      assertThat(isAdopted(adopted)).isTrue();
      RangeBlockPartitioner ranges =
          (RangeBlockPartitioner) TensorInside.blocks(adopted).layout().rows();
      assertThat(ranges.first()).hasSize(4);
      TensorAssert.assertSameBits(adopted.collect(), tens(50000, ids));
    }
  }

  @Test
  void emptyInputPartitionsAreSkipped() {
    Dataset<Row> table = files(tens("range(100)"), 20).where("id NOT BETWEEN 20 AND 59");
    try (DistributedTensor adopted = vector(table, 100)) {
      assertThat(isAdopted(adopted)).isTrue();
      assertThat(adopted.partitions()).isEqualTo(3);
      int[] ids = IntStream.range(0, 100).filter(id -> id < 20 || id >= 60).toArray();
      TensorAssert.assertSameBits(adopted.collect(), tens(100, ids));
    }
  }

  @Test
  void rowsThatAreNotReadInBulkAreAdopted() {
    try (DistributedTensor adopted = vector(tens("range(0, 100, 1, 4)"), 100)) {
      assertThat(isAdopted(adopted)).isTrue();
      TensorAssert.assertSameBits(adopted.collect(), tens(100, IntStream.range(0, 100).toArray()));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "id", // overlapping files: 0, 4, 8 ... in the first
        "-id", // descending
        "hash(id)"
      })
  void tablesInAnotherOrderAreShuffled(String order) {
    Column key = order.equals("id") ? functions.expr("id % 4") : functions.expr(order);
    Dataset<Row> sorted = tens("range(3000)").sort(key, functions.col("id"));
    try (DistributedTensor shuffled = vector(files(sorted, 750), 3000)) {
      assertThat(isAdopted(shuffled)).isFalse();
      TensorAssert.assertSameBits(
          shuffled.collect(), tens(3000, IntStream.range(0, 3000).toArray()));
    }
  }

  @Test
  void tablesInFewerPartitionsThanCoresAreShuffled() {
    try (DistributedTensor shuffled = vector(files(tens("range(100)"), 100), 100)) {
      assertThat(isAdopted(shuffled)).isFalse();
      assertThat(shuffled.partitions()).isEqualTo(2);
    }
  }

  @Test
  void explicitNumberOfPartitionsIsKept() {
    Dataset<Row> table = files(tens("range(100)"), 20);
    try (DistributedTensor shuffled =
        DistributedTensor.fromDataset(
            table, COLUMNS, DType.INT32, Shape.of(100), Partitioning.of(5))) {
      assertThat(isAdopted(shuffled)).isFalse();
    }
  }

  @Test
  void shuffledRowsAreNotAdopted() {
    Dataset<Row> grouped = tens("range(100)").groupBy("id").agg(functions.max("value").as("value"));
    try (DistributedTensor shuffled = vector(grouped, 100)) {
      assertThat(isAdopted(shuffled)).isFalse();
      TensorAssert.assertSameBits(shuffled.collect(), tens(100, IntStream.range(0, 100).toArray()));
    }
  }

  @Test
  void filesThatSplitARowOfTheLayoutAreShuffled() {
    Shape shape = Shape.of(10, 4);
    Dataset<Row> elements =
        LocalSpark.session()
            .sql("SELECT id DIV 4 AS i0, id % 4 AS i1, cast(id AS int) AS value FROM range(40)");
    Tensor expected = Tensor.of(shape, IntStream.range(0, 40).toArray());
    Partitioning rowsOfFour = Partitioning.AUTO.withBlockBytes(16);
    try (DistributedTensor whole = read(files(elements, 8), 2, expected, rowsOfFour);
        DistributedTensor cut = read(files(elements, 7), 2, expected, rowsOfFour)) {
      assertThat(isAdopted(whole)).isTrue();
      assertThat(isAdopted(cut)).isFalse();
      TensorAssert.assertSameBits(whole.collect(), expected);
      TensorAssert.assertSameBits(cut.collect(), expected);
    }
  }

  @Test
  void emptyTableGivesZeros() {
    try (DistributedTensor zeros = vector(tens("range(100)").where("id < 0"), 100)) {
      TensorAssert.assertSameBits(zeros.collect(), tens(100));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 21})
  void duplicatesAreRefusedWithinFilesAndAcrossThem(int perFile) {
    Dataset<Row> twice = tens("range(100)").union(tens("(VALUES 20L, 60L)")).sort("id");
    Dataset<Row> table = files(twice, perFile);
    assertThatThrownBy(() -> vector(table, 100))
        .isInstanceOf(SparkNdException.class)
        .hasMessage("the tensor has more than one row of index [20]: keep one of them");
  }

  @Test
  void aBadRowOfASortedTableIsNamed() {
    Dataset<Row> table = files(tens("range(100)"), 20);
    assertThatThrownBy(() -> vector(table, 99))
        .hasMessageMatching(
            "row 19 of partition \\d = \\[99\\] is out of bounds for shape \\[99\\]:.*");
    assertThatThrownBy(() -> vector(tens("(VALUES 2L, -1L)"), 100))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(" = [-1] is out of bounds for shape [100]: correct the row");
    Dataset<Row> nulls =
        files(tens("range(100)").selectExpr("id", "nullif(value, 250) AS value"), 20);
    assertThatThrownBy(() -> vector(nulls, 100))
        .hasMessageMatching("the value at \\[25\\], row 5 of partition \\d, is null: .*");
  }

  @Test
  void rejectedTableLeavesNoCachedRdd() {
    Dataset<Row> nulls =
        files(tens("range(100)").selectExpr("id", "nullif(value, 250) AS value"), 20);
    Set<Integer> before = kept();
    assertThatThrownBy(() -> vector(nulls, 100)).isInstanceOf(SparkNdException.class);
    assertThat(before).as("Spark may have given back others").containsAll(kept());
  }

  private static Set<Integer> kept() {
    JavaSparkContext context =
        JavaSparkContext.fromSparkContext(LocalSpark.session().sparkContext());
    return Set.copyOf(context.getPersistentRDDs().keySet());
  }

  @Test
  void aPartitionThatHasChangedIsAnError() {
    BlockLayout usual = BlockLayout.of(DType.INT32, Shape.of(40), FREE, 2);
    List<long[]> runs = List.of(new long[] {0, 9}, new long[] {10, 39});
    TableLayout table = TableLayout.of(usual, 1, runs, 2).orElseThrow();
    String message = "partition 1 of the table has other rows than when it was first read";
    for (long[] offsets : List.of(new long[] {10, 38}, new long[] {9, 10}, new long[] {12, 12})) {
      NumberedRows chunk = new NumberedRows(offsets, 2, new int[2]);
      assertThatThrownBy(() -> RangeFill.partition(table, 1, List.of(chunk).iterator(), 1, null))
          .isInstanceOf(SparkNdException.class)
          .hasMessageStartingWith(message);
    }
  }

  @Test
  void aPartitionTooLargeForATaskIsShuffled() {
    BlockLayout usual = BlockLayout.of(DType.FLOAT32, Shape.of(1L << 26), Partitioning.AUTO, 2);
    long third = (1L << 26) / 3;
    List<long[]> even =
        List.of(run(0, third), run(third + 1, 2 * third), run(2 * third + 1, 1 << 26));
    List<long[]> uneven =
        List.of(run(0, third), run(third + 1, third + 2), run(third + 3, third + 4));
    assertThat(TableLayout.of(usual, 1, even, 2)).isPresent();
    assertThat(TableLayout.of(usual, 1, uneven, 2)).isEmpty();
  }

  private static long[] run(long first, long end) {
    return new long[] {first, end - 1};
  }
}
