/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.SqlRows;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.kernel.Kernels;
import io.sparknd.op.Gather;
import io.sparknd.op.Reduction;
import io.sparknd.op.ScatterCall;
import io.sparknd.oracle.CallOutcome;
import io.sparknd.oracle.RandomCalls;
import io.sparknd.oracle.RandomCalls.GatherCase;
import io.sparknd.oracle.RandomCalls.ScatterCase;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
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

/** Tests tensor tables of every layout and block size against the oracle. */
class TablePropertyTest {
  private static final int TRIES = 2;
  private static final int MANY = 12;
  private static final int STEPS = 4;

  /** The type of a table. All other choices depend on the seed. */
  record Setting(DType dtype, int rank, long seed) {}

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void scattersMatchTheOracle(@ForAll("settings") Setting setting) {
    check(setting);
  }

  @Property(tries = MANY, shrinking = ShrinkingMode.OFF)
  @Tag("slow")
  void scattersMatchTheOracleInManyTries(@ForAll("settings") Setting setting) {
    check(setting);
  }

  private static void check(Setting setting) {
    Random random = new Random(setting.seed());
    Shape shape = shape(setting.rank(), random);
    TensorTable table = TestTables.create(spec(setting.dtype(), shape, random));
    Tensor expected = loaded(table);
    TreeMap<Long, Tensor> versions = new TreeMap<>();
    for (int step = 0; step < STEPS; step++) {
      expected = step(table, expected, random);
      table.snapshot().ifPresent(keep(versions, expected));
      if (random.nextInt(4) == 0) {
        table.compact();
        table.snapshot().ifPresent(keep(versions, expected));
      }
    }
    assertHolds(table, expected);
    checkGather(table, expected, random);
    versions.forEach((snapshot, then) -> assertHolds(table.snapshot(snapshot), then));
    TensorTable reopened = TensorTable.open(TestTables.spark(), table.name());
    assertHolds(reopened, expected);
    assertThat(reopened.layout()).isEqualTo(table.layout());
  }

  private static java.util.function.LongConsumer keep(Map<Long, Tensor> to, Tensor tensor) {
    return snapshot -> to.put(snapshot, tensor);
  }

  /** Runs one scatter on the table and the oracle; both accept or both reject it. */
  private static Tensor step(TensorTable table, Tensor before, Random random) {
    ScatterCase scatter = tupleScatter(before, random);
    ScatterCall call = scatter.call();
    CallOutcome outcome = CallOutcome.of(scatter);
    int depth = SqlRows.depth(call.indices());
    Shape slice = before.shape().from(depth);
    Dataset<Row> rows = SqlRows.updates(SqlRows.updates(call, slice), depth, before.dtype(), slice);
    TensorColumns columns = SqlRows.columns(depth);
    if (outcome.isRejected()) {
      outcome.assertRejectedBy(() -> table.scatter(call.how(), rows, columns));
      return before;
    }
    Optional<Tensor> stored =
        call.how().reduction() == Reduction.NONE ? Optional.of(loaded(table)) : Optional.empty();
    table.scatter(call.how(), rows, columns);
    stored.ifPresent(
        then ->
            TensorAssert.assertSameBits(
                TensorAssert.quiet(loaded(table)),
                TensorAssert.quiet(Kernels.auto().scatter(then, call))));
    return outcome.tensor();
  }

  private static Tensor loaded(TensorTable table) {
    try (DistributedTensor loaded = table.load(Partitioning.AUTO)) {
      return loaded.collect();
    }
  }

  private static ScatterCase tupleScatter(Tensor data, Random random) {
    while (true) {
      ScatterCall call = RandomCalls.tupleScatter(data, random);
      if (call.indices().dtype() != DType.UINT64) {
        return new ScatterCase(data, call);
      }
    }
  }

  private static void assertHolds(TensorTable table, Tensor expected) {
    TensorAssert.assertSame(loaded(table), expected);
  }

  private static void checkGather(TensorTable table, Tensor expected, Random random) {
    GatherCase gather = tupleGather(expected, random);
    int depth = SqlRows.depth(gather.call().indices());
    Dataset<Row> requests = SqlRows.requests(gather.call().indices()).repartition(3);
    List<String> names = SqlRows.indexNames(depth);
    Gather how = gather.call().how();
    CallOutcome outcome = CallOutcome.of(gather);
    if (outcome.isRejected()) {
      outcome.assertRejectedBy(() -> table.gather(how, requests, names));
      return;
    }
    List<Row> answered = new ArrayList<>(table.gather(how, requests, names).collectAsList());
    answered.sort(Comparator.comparing(row -> row.<Long>getAs("place")));
    assertThat(answered.stream().map(row -> row.<Long>getAs("place")))
        .containsExactlyElementsOf(
            LongStream.range(0, SqlRows.slots(gather.call().indices())).boxed().toList());
    List<Object> values = new ArrayList<>();
    answered.forEach(row -> values.add(row.getAs("value")));
    assertThat(SqlRows.flat(values)).isEqualTo(SqlRows.elements(outcome.tensor()));
  }

  /** Returns a gather by at least one index column, which tables need. */
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
    if (random.nextInt(3) == 0) {
      spec = spec.withFill(RandomCalls.tensor(dtype, Shape.of(1), random).element(0));
    }
    int layout = random.nextInt(3);
    if (layout == 1 && dtype != DType.STRING) {
      return spec.withBinaryValues();
    }
    if (layout == 2 && depth == shape.rank() - 1) {
      return withFeatures(spec, (int) shape.dim(depth), random);
    }
    return switch (random.nextInt(4)) {
      case 0 -> spec.withProperty("format-version", "2");
      case 1 -> spec.withProperty("write.merge.mode", "copy-on-write");
      default -> spec;
    };
  }

  private static TensorSpec withFeatures(TensorSpec spec, int features, Random random) {
    TensorSpec named =
        spec.withFeatures(
            IntStream.range(0, features).mapToObj(i -> "f" + i).toArray(String[]::new));
    Object fill = RandomCalls.tensor(spec.dtype(), Shape.of(1), random).element(0);
    return random.nextBoolean() ? named : named.withFeatureFill("f" + (features - 1), fill);
  }

  @Provide
  Arbitrary<Setting> settings() {
    return Combinators.combine(
            Arbitraries.of(DType.class), Arbitraries.integers().between(1, 5), Arbitraries.longs())
        .as(Setting::new);
  }
}
