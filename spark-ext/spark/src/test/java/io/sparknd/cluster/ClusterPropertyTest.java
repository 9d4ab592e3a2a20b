/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.arrow.ArrowTensors;
import io.sparknd.cluster.options.GatherStrategy;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.kernel.Kernels;
import io.sparknd.op.BadIndices;
import io.sparknd.op.Duplicates;
import io.sparknd.op.GatherCall;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.oracle.CallOutcome;
import io.sparknd.oracle.NaiveEngine;
import io.sparknd.oracle.RandomCalls;
import io.sparknd.oracle.RandomCalls.GatherCase;
import io.sparknd.oracle.RandomCalls.ScatterCase;
import io.sparknd.oracle.Refusal;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Npy;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
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
import org.apache.spark.util.Utils;

/** Tests distributed tensors, partitioned in many ways, against the oracle. */
class ClusterPropertyTest {
  private static final int TRIES = 4;
  private static final int MANY = 8;

  /**
   * The input of one trial: the type of the tensor, the seed of all values, and two partitionings.
   */
  record Setting(DType dtype, int rank, long seed, Partitioning cut, Partitioning otherCut) {
    Random random() {
      return new Random(seed);
    }

    DistributedTensor distributed(Tensor tensor) {
      return DistributedTensor.of(LocalSpark.session(), tensor, cut);
    }

    Tensor tensor() {
      Random random = random();
      return RandomCalls.tensor(dtype, RandomCalls.shape(rank, random), random);
    }
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void scatterMatchesTheOracle(@ForAll("settings") Setting setting) {
    checkScatter(setting);
  }

  private static void checkScatter(Setting setting) {
    ScatterCase scatter = RandomCalls.scatter(setting.dtype(), setting.rank(), setting.random());
    DistributedTensor data = setting.distributed(scatter.data());
    CallOutcome.of(scatter).assertGivenBy(() -> data.scatter(scatter.call()).collect());
    TensorAssert.assertSameBits(data.collect(), scatter.data());
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void gatherMatchesTheOracle(@ForAll("settings") Setting setting) {
    checkGather(setting);
  }

  private static void checkGather(Setting setting) {
    GatherCase gather = RandomCalls.gather(setting.dtype(), setting.rank(), setting.random());
    DistributedTensor data = setting.distributed(gather.data());
    CallOutcome outcome = CallOutcome.of(gather);
    outcome.assertGivenBy(() -> data.gather(gather.call()).collect());
    if (!outcome.isRejected()) {
      TensorAssert.assertSameBits(
          data.gather(gather.call()).collect(),
          Kernels.auto().gather(gather.data(), gather.call()));
    }
  }

  @Property(tries = TRIES / 2, shrinking = ShrinkingMode.OFF)
  void scatterDoesNotChangeEarlierVersions(@ForAll("settings") Setting setting) {
    checkChain(setting);
  }

  private static void checkChain(Setting setting) {
    Random random = setting.random();
    Tensor local =
        RandomCalls.tensor(setting.dtype(), RandomCalls.shape(setting.rank(), random), random);
    List<Tensor> expected = new ArrayList<>(List.of(local));
    List<DistributedTensor> versions = new ArrayList<>(List.of(setting.distributed(local)));
    for (int step = 0; step < 4; step++) {
      ScatterCall call = lenient(RandomCalls.scatter(local, random));
      local = Kernels.auto().scatter(local, call);
      expected.add(local);
      versions.add(versions.get(step).scatter(call));
    }
    for (int step = 0; step < versions.size(); step++) {
      TensorAssert.assertSame(versions.get(step).collect(), expected.get(step));
    }
  }

  private static ScatterCall lenient(ScatterCall call) {
    IndexPolicy lenient = new IndexPolicy(BadIndices.IGNORE, NegativeIndices.OUT_OF_BOUNDS);
    Scatter how = call.how().withIndices(lenient).withDuplicates(Duplicates.IN_ORDER);
    return new ScatterCall(how, call.where(), call.indices(), call.updates());
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void repartitionKeepsTheTensor(@ForAll("settings") Setting setting) {
    checkRepartition(setting);
  }

  private static void checkRepartition(Setting setting) {
    Tensor tensor = setting.tensor();
    DistributedTensor other = setting.distributed(tensor).repartition(setting.otherCut());
    assertThat(other.partitions()).isEqualTo(setting.otherCut().partitions());
    TensorAssert.assertSameBits(other.collect(), tensor);
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void savedTensorLoadsUnchanged(@ForAll("settings") Setting setting) {
    checkSave(setting);
  }

  private static void checkSave(Setting setting) {
    Tensor tensor = setting.tensor();
    inDirectory(
        directory -> {
          String target = directory.resolve("tensor").toString();
          setting.distributed(tensor).save(target);
          DistributedTensor loaded =
              DistributedTensor.load(LocalSpark.session(), target, setting.otherCut());
          assertThat(loaded.partitions()).isEqualTo(setting.otherCut().partitions());
          TensorAssert.assertSameBits(loaded.collect(), tensor);
        });
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void npyRoundTripKeepsTheTensor(@ForAll("settings") Setting setting) {
    checkNpy(setting);
  }

  private static void checkNpy(Setting setting) {
    Tensor tensor = setting.tensor();
    inDirectory(
        directory -> {
          Path file = directory.resolve("tensor.npy");
          setting.distributed(tensor).toNpy(file);
          TensorAssert.assertSameBits(Npy.read(file, setting.dtype()), tensor);
          if (setting.dtype() != DType.BFLOAT16) {
            DistributedTensor back =
                DistributedTensor.fromNpy(
                    LocalSpark.session(), file.toString(), setting.otherCut());
            TensorAssert.assertSameBits(back.collect(), tensor);
          }
        });
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void arrowRoundTripKeepsTheTensor(@ForAll("settings") Setting setting) throws IOException {
    checkArrow(setting);
  }

  private static void checkArrow(Setting setting) throws IOException {
    Tensor tensor = setting.tensor();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    setting.distributed(tensor).toArrow(out);
    Tensor back = ArrowTensors.read(new ByteArrayInputStream(out.toByteArray()), "the stream");
    TensorAssert.assertSameBits(back, tensor);
  }

  @Property(tries = TRIES / 2, shrinking = ShrinkingMode.OFF)
  void datasetRoundTripOfEveryDepthKeepsTheTensor(@ForAll("settings") Setting setting) {
    checkDatasets(setting);
  }

  private static void checkDatasets(Setting setting) {
    Tensor tensor = setting.tensor();
    DistributedTensor data = setting.distributed(tensor);
    for (int depth = 0; depth <= setting.rank(); depth++) {
      Dataset<Row> rows = data.toDataset(depth);
      assertThat(rows.count()).isEqualTo(tensor.shape().first(depth).elements());
      DistributedTensor back =
          DistributedTensor.fromDataset(
              rows, SqlRows.columns(depth), tensor.dtype(), tensor.shape(), setting.otherCut());
      TensorAssert.assertSame(back.collect(), tensor);
    }
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void datasetUpdatesApplyInRowOrder(@ForAll("settings") Setting setting) {
    checkRowOrder(setting);
  }

  private static void checkRowOrder(Setting setting) {
    ScatterCase scatter = tupleScatter(setting);
    CallOutcome outcome = CallOutcome.of(scatter);
    DistributedTensor data = setting.distributed(scatter.data());
    Shape slice = scatter.data().shape().from(SqlRows.depth(scatter.call().indices()));
    List<Row> rows = SqlRows.updates(scatter.call(), slice);
    check(outcome, data, scatter.call(), slice, rows, List.of());
    TensorAssert.assertSameBits(data.collect(), scatter.data());
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void datasetUpdatesApplyInTheOrderOfOrderColumns(@ForAll("settings") Setting setting) {
    checkOrderColumns(setting);
  }

  private static void checkOrderColumns(Setting setting) {
    ScatterCase scatter = tupleScatter(setting);
    CallOutcome outcome = CallOutcome.of(scatter);
    DistributedTensor data = setting.distributed(scatter.data());
    Shape slice = scatter.data().shape().from(SqlRows.depth(scatter.call().indices()));
    List<Row> rows = SqlRows.updates(scatter.call(), slice);
    Collections.shuffle(rows, setting.random());
    check(outcome, data, scatter.call(), slice, rows, List.of("place"));
  }

  /** Returns a scatter whose index values fit int64 columns. */
  private static ScatterCase tupleScatter(Setting setting) {
    Random random = setting.random();
    ScatterCase scatter = RandomCalls.tupleScatter(setting.dtype(), setting.rank(), random);
    while (scatter.call().indices().dtype() == DType.UINT64) {
      scatter = RandomCalls.tupleScatter(setting.dtype(), setting.rank(), random);
    }
    return scatter;
  }

  private static void check(
      CallOutcome outcome,
      DistributedTensor data,
      ScatterCall call,
      Shape slice,
      List<Row> rows,
      List<String> orderBy) {
    int depth = SqlRows.depth(call.indices());
    Dataset<Row> updates = SqlRows.updates(rows, depth, data.dtype(), slice);
    TensorColumns columns = SqlRows.columns(depth).orderedBy(orderBy.toArray(String[]::new));
    if (!outcome.isRejected()) {
      TensorAssert.assertSame(
          data.scatter(call.how(), updates, columns).collect(), outcome.tensor());
      return;
    }
    outcome.assertRejectedBy(() -> data.scatter(call.how(), updates, columns));
    if (orderBy.isEmpty() && !outcome.badTuples().isEmpty()) {
      String place = place(updates, firstRefused(data.shape(), call));
      assertThatThrownBy(() -> data.scatter(call.how(), updates, columns))
          .hasMessageStartingWith(place + " = " + outcome.badTuples().get(0));
    }
  }

  /** Returns the number of the first index tuple that the oracle rejects on its own. */
  private static int firstRefused(Shape shape, ScatterCall call) {
    int depth = SqlRows.depth(call.indices());
    long[] values = new long[depth];
    for (int slot = 0; ; slot++) {
      for (int d = 0; d < depth; d++) {
        values[d] = ((Number) call.indices().element(slot * depth + d)).longValue();
      }
      try {
        NaiveEngine.offsets(
            shape, call.where(), Tensor.of(Shape.of(depth), values), call.how().indices());
      } catch (Refusal refusal) {
        return slot;
      }
    }
  }

  /** Returns the position of row {@code number} of {@code rows}, in the form of messages. */
  private static String place(Dataset<Row> rows, int number) {
    int row = number;
    int partition = 0;
    for (List<Row> part : rows.toJavaRDD().glom().collect()) {
      if (row < part.size()) {
        break;
      }
      row -= part.size();
      partition++;
    }
    return "row " + row + " of partition " + partition;
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void datasetRowsGatherTheirSlices(
      @ForAll("settings") Setting setting, @ForAll GatherStrategy strategy) {
    checkRowGather(setting, strategy);
  }

  private static void checkRowGather(Setting setting, GatherStrategy strategy) {
    GatherCase gather = tupleGather(setting);
    GatherCall call = gather.call();
    CallOutcome outcome = CallOutcome.of(gather);
    DistributedTensor data = setting.distributed(gather.data()).withStrategy(strategy);
    Dataset<Row> requests = SqlRows.requests(call.indices()).repartition(1 + setting.rank());
    List<String> names = SqlRows.indexNames(SqlRows.depth(call.indices()));
    if (outcome.isRejected()) {
      outcome.assertRejectedBy(() -> data.gather(call.how(), requests, names));
      return;
    }
    List<Row> answered = new ArrayList<>(data.gather(call.how(), requests, names).collectAsList());
    answered.sort(Comparator.comparing(row -> row.<Long>getAs("place")));
    assertThat(answered.stream().map(row -> row.<Long>getAs("place")))
        .containsExactlyElementsOf(
            LongStream.range(0, SqlRows.slots(call.indices())).boxed().toList());
    List<Object> values = new ArrayList<>();
    answered.forEach(row -> values.add(row.getAs("value")));
    assertThat(SqlRows.flat(values)).isEqualTo(SqlRows.elements(outcome.tensor()));
  }

  @Property(tries = MANY, shrinking = ShrinkingMode.OFF)
  @Tag("slow")
  void allPropertiesHoldInManyTries(@ForAll("settings") Setting setting) throws IOException {
    checkScatter(setting);
    checkGather(setting);
    checkChain(setting);
    checkRepartition(setting);
    checkSave(setting);
    checkNpy(setting);
    checkArrow(setting);
    checkDatasets(setting);
    checkRowOrder(setting);
    checkOrderColumns(setting);
    for (GatherStrategy strategy : GatherStrategy.values()) {
      checkRowGather(setting, strategy);
    }
  }

  /** Returns a gather whose index values fit int64 columns. */
  private static GatherCase tupleGather(Setting setting) {
    Random random = setting.random();
    GatherCase gather = RandomCalls.tupleGather(setting.dtype(), setting.rank(), random);
    while (gather.call().indices().dtype() == DType.UINT64) {
      gather = RandomCalls.tupleGather(setting.dtype(), setting.rank(), random);
    }
    return gather;
  }

  /** Work in a temporary directory. */
  private interface InDirectory {
    void run(Path directory) throws IOException;
  }

  private static void inDirectory(InDirectory work) {
    try {
      Path directory = Files.createTempDirectory("sparknd");
      try {
        work.run(directory);
      } finally {
        Utils.deleteRecursively(directory.toFile());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Provide
  Arbitrary<Setting> settings() {
    return Combinators.combine(
            Arbitraries.of(DType.class),
            Arbitraries.integers().between(0, 8),
            Arbitraries.longs(),
            cuts(),
            cuts())
        .as(Setting::new);
  }

  private static Arbitrary<Partitioning> cuts() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 17), Arbitraries.integers().between(3, 12))
        .as((partitions, bits) -> new Partitioning(partitions, 1 << bits));
  }
}
