/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import io.sparknd.LocalSpark;
import io.sparknd.oracle.CallOutcome;
import io.sparknd.oracle.RandomCalls;
import io.sparknd.oracle.RandomCalls.GatherCase;
import io.sparknd.oracle.RandomCalls.ScatterCase;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Tensor;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.Supplier;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import org.apache.spark.sql.SparkSession;

/** Tests table functions over many kinds of queries against the oracle. */
class TableFunctionPropertyTest {
  private static final int TRIES = 3;
  private static final int MANY = 6;

  record Setting(DType dtype, int rank, long seed) {
    Random random() {
      return new Random(seed);
    }

    SqlCalls sql() {
      SparkSession session = LocalSpark.session().newSession();
      Random random = new Random(seed);
      session.conf().set("spark.sql.adaptive.enabled", random.nextBoolean());
      session.conf().set("spark.sql.codegen.wholeStage", random.nextBoolean());
      return new SqlCalls(session, rows -> Disguise.of(rows, random));
    }
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void scatterMatchesTheOracle(@ForAll("settings") Setting setting) {
    checkScatter(setting);
  }

  private static void checkScatter(Setting setting) {
    Random random = setting.random();
    ScatterCase scatter =
        first(
            () -> RandomCalls.tupleScatter(setting.dtype(), setting.rank(), random),
            each -> SqlCalls.isOffered(each.call()));
    SqlCalls sql = setting.sql();
    assertGivenBy(CallOutcome.of(scatter), () -> sql.scatter(scatter.data(), scatter.call()));
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void scatterIntoZerosMatchesTheOracle(@ForAll("settings") Setting setting) {
    checkScatterIntoZeros(setting);
  }

  private static void checkScatterIntoZeros(Setting setting) {
    Random random = setting.random();
    ScatterCase scatter =
        first(
            () -> RandomCalls.tupleScatter(setting.dtype(), setting.rank(), random),
            each -> SqlCalls.isOfferedIntoZeros(each.call()));
    Tensor zeros = Tensor.zeros(setting.dtype(), scatter.data().shape());
    SqlCalls sql = setting.sql();
    assertGivenBy(
        CallOutcome.of(new ScatterCase(zeros, scatter.call())),
        () -> sql.scatterIntoZeros(zeros.shape(), scatter.call()));
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void gatherMatchesTheOracle(@ForAll("settings") Setting setting) {
    checkGather(setting);
  }

  private static void checkGather(Setting setting) {
    Random random = setting.random();
    GatherCase gather =
        first(
            () -> RandomCalls.tupleGather(setting.dtype(), setting.rank(), random),
            each -> SqlCalls.isOffered(each.call()));
    SqlCalls sql = setting.sql();
    assertGivenBy(CallOutcome.of(gather), () -> sql.gather(gather.data(), gather.call()));
  }

  @Property(tries = MANY, shrinking = ShrinkingMode.OFF)
  @Tag("slow")
  void allPropertiesHoldInManyTries(@ForAll("settings") Setting setting) {
    checkScatter(setting);
    checkScatterIntoZeros(setting);
    checkGather(setting);
  }

  private static <T> T first(Supplier<T> next, Predicate<T> wanted) {
    T each = next.get();
    while (!wanted.test(each)) {
      each = next.get();
    }
    return each;
  }

  private static void assertGivenBy(CallOutcome outcome, Supplier<Tensor> sql) {
    if (outcome.isRejected()) {
      outcome.assertRejectedBy(sql::get);
    } else {
      TensorAssert.assertSame(sql.get(), outcome.tensor());
    }
  }

  @Provide
  Arbitrary<Setting> settings() {
    return Combinators.combine(
            Arbitraries.of(DType.class), Arbitraries.integers().between(0, 6), Arbitraries.longs())
        .as(Setting::new);
  }
}
