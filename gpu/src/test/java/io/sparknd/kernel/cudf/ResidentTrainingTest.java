/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.internal.spark.SparkNdSetting;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.kernel.KernelProviders;
import io.sparknd.kernel.Kernels;
import io.sparknd.op.GatherCall;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.op.TensorFlow;
import io.sparknd.oracle.NaiveEngine;
import io.sparknd.oracle.RandomCalls;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Loops on distributed tensors with resident blocks. */
class ResidentTrainingTest {
  private static final Shape SHAPE = Shape.of(500, 16);
  private static final long TABLE_BYTES = 500 * 16 * Float.BYTES;

  private final SparkSession spark = LocalSpark.session();
  private final HostProvider kernels = (HostProvider) KernelProviders.named("cudf_on_host");
  private final String before = SparkEnv.get().conf().get(ResidentBytes.SETTING, "0");

  @AfterEach
  void reset() {
    keep(before);
    spark.conf().unset(SparkNdSetting.SKEW_BYTES.key());
  }

  private static void keep(String bytes) {
    SparkEnv.get().conf().set(ResidentBytes.SETTING, bytes);
  }

  private DistributedTensor distributed(Tensor tensor) {
    spark.conf().set(SparkNdSetting.KERNEL.key(), kernels.name());
    return DistributedTensor.of(spark, tensor, new Partitioning(3, 1024));
  }

  @Test
  void settingHasTheDocumentedName() {
    assertThat(ResidentBytes.SETTING).isEqualTo(SparkNdSetting.RESIDENT_BYTES.key());
  }

  @ParameterizedTest
  @ValueSource(strings = {"much", "9999999999g"})
  void invalidSizeIsAnError(String size) {
    keep(size);
    assertThatThrownBy(ResidentBytes::configured)
        .isInstanceOf(SparkNdException.class)
        .hasMessage(
            ResidentBytes.SETTING + " = '" + size + "' is not a number of bytes, such as 8g");
  }

  @ParameterizedTest
  @CsvSource({"0, auto", "3k, auto", "1m, auto", "1m, 0"})
  void everyVersionOfALoopMatchesOracle(String bytes, String skewBytes) {
    keep(bytes);
    spark.conf().set(SparkNdSetting.SKEW_BYTES.key(), skewBytes);
    Random random = new Random(11);
    Tensor local = RandomCalls.tensor(DType.FLOAT32, SHAPE, random);
    TrainingCalls calls = new TrainingCalls(DType.FLOAT32, SHAPE, random);
    List<Tensor> expected = new ArrayList<>(List.of(local));
    List<DistributedTensor> versions = new ArrayList<>(List.of(distributed(local)));
    for (int step = 0; step < 8; step++) {
      DistributedTensor newest = versions.get(step);
      checkGather(newest, expected.get(step), calls.gather());
      ScatterCall call = calls.scatter();
      versions.add(newest.scatter(call));
      expected.add(NaiveEngine.scatter(expected.get(step), call));
      int any = random.nextInt(step + 1);
      checkGather(versions.get(any), expected.get(any), calls.gather());
    }
    for (int step = 0; step < versions.size(); step++) {
      TensorAssert.assertSame(versions.get(step).collect(), expected.get(step));
      versions.get(step).close();
    }
    assertThat(kernels.residents().taken()).isLessThanOrEqualTo(1 << 20);
  }

  private static void checkGather(DistributedTensor tensor, Tensor local, GatherCall call) {
    try (DistributedTensor gathered = tensor.gather(call)) {
      TensorAssert.assertSame(gathered.collect(), Kernels.auto().gather(local, call));
    }
  }

  @Test
  void secondStepCopiesNoBlocks() {
    keep("0");
    long without = secondStep();
    assertThat(kernels.residents().taken()).isZero();
    assertThat(kernels.devices().taken()).as("all is given back").isZero();
    keep("1m");
    assertThat(secondStep()).isLessThan(without - TABLE_BYTES);
  }

  /**
   * Returns the bytes that the second of two steps copies to the device. Each step gathers all rows
   * and adds to all rows.
   */
  private long secondStep() {
    Random random = new Random(5);
    Tensor rows = Tensor.of(Shape.of(500, 1), LongStream.range(0, 500).toArray());
    DistributedTensor tensor = distributed(RandomCalls.tensor(DType.FLOAT32, SHAPE, random));
    long start = 0;
    for (int step = 0; step < 2; step++) {
      start = kernels.devices().up();
      tensor.gather(TensorFlow.gatherNd(rows, 0)).collect();
      Tensor updates = RandomCalls.tensor(DType.FLOAT32, SHAPE, random);
      tensor = tensor.scatter(ScatterCall.of(Scatter.of(Reduction.ADD), rows, updates));
      tensor.collect();
    }
    return kernels.devices().up() - start;
  }
}
