/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.engine.PtSymbolBlock;
import ai.djl.pytorch.jni.IValue;
import ai.djl.pytorch.jni.IValueUtils;
import ai.djl.pytorch.jni.JniUtils;
import io.sparknd.benchmarks.kernel.Direct;
import io.sparknd.benchmarks.report.PeerResult.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** A factorization machine in PyTorch, with two threads, which each run trains further. */
final class TorchFmTraining implements SparkPeer {
  private static final int THREADS = 2;

  private final FmSetup setup;
  private final Kind kind;
  private final List<Double> expected;
  private final PtNDManager manager = (PtNDManager) Engine.getEngine("PyTorch").newBaseManager();
  private final PtSymbolBlock module;
  private final PtNDArray weights;
  private final PtNDArray first;
  private final PtNDArray second;
  private final List<PtNDArray> features = new ArrayList<>();
  private final List<PtNDArray> labels = new ArrayList<>();
  private int steps;

  /** How a step is made; see {@link TorchFmScript}. */
  enum Kind {
    SPARSE("PyTorch sparse=True"),
    FUSED("PyTorch fused by hand");

    private final String title;

    Kind(String title) {
      this.title = title;
    }
  }

  /**
   * @param expected losses of the first steps, once a peer has run
   */
  TorchFmTraining(FmSetup setup, Kind kind, List<Double> expected) {
    this.setup = setup;
    this.kind = kind;
    this.expected = expected;
    JniUtils.setNumThreads(THREADS);
    try {
      this.module = JniUtils.loadModule(manager, TorchFmScript.archive(), false, false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    float[] initial = new float[FmData.ROWS * setup.dim()];
    for (int row = 0; row < FmData.ROWS; row++) {
      FmSetup.INITIALIZER.fill(row, initial, row * setup.dim(), setup.dim());
    }
    this.weights = table(initial);
    this.first = table(new float[initial.length]);
    this.second =
        table(setup.rule() == FmSetup.Rule.ADAM ? new float[initial.length] : new float[0]);
    for (FmBatch batch : setup.data().all()) {
      long[] ids = Arrays.stream(batch.features()).asLongStream().toArray();
      Shape shape = new Shape(setup.data().examples(), FmData.FIELDS);
      features.add(manager.create(Direct.of(ids), shape, DataType.INT64));
      labels.add(
          manager.create(
              Direct.of(batch.labels()), new Shape(batch.labels().length), DataType.FLOAT32));
    }
  }

  private PtNDArray table(float[] values) {
    Shape shape = new Shape(values.length / setup.dim(), setup.dim());
    return manager.create(Direct.of(values), shape, DataType.FLOAT32);
  }

  @Override
  public String name() {
    return kind.title;
  }

  @Override
  public Role role() {
    return Role.CORRECT;
  }

  @Override
  public void run() {
    for (int i = 0; i < setup.steps(); i++) {
      step();
    }
  }

  @Override
  public OptionalLong answer() {
    List<Double> losses = new ArrayList<>();
    for (int i = 0; i < setup.checkedSteps(); i++) {
      losses.add(step());
    }
    FmSetup.check(losses, expected);
    return OptionalLong.empty();
  }

  /** Makes a step and returns the sum of losses. */
  private double step() {
    int batch = steps % features.size();
    steps++;
    return kind == Kind.SPARSE
        ? sparse(features.get(batch), labels.get(batch))
        : call("fused_", features.get(batch), labels.get(batch));
  }

  private double sparse(PtNDArray ids, PtNDArray clicked) {
    // training mode: otherwise DJL excludes autograd
    try (NDList gradient = IValueUtils.forward(module, new NDList(weights, ids, clicked), true)) {
      call("sparse_", (PtNDArray) gradient.get(0), (PtNDArray) gradient.get(1));
      return gradient.get(2).toFloatArray()[0];
    }
  }

  /** Returns the first element of what a method returns. */
  private double call(String prefix, PtNDArray one, PtNDArray other) {
    String method = prefix + setup.rule().name().toLowerCase(Locale.ROOT);
    IValue[] arguments = {
      IValue.from(weights),
      IValue.from(first),
      IValue.from(second),
      IValue.from(one),
      IValue.from(other),
      IValue.from(FmSetup.RATE),
      IValue.from((long) steps)
    };
    try (IValue result = IValueUtils.runMethod(module, method, arguments)) {
      return kind == Kind.SPARSE ? 0 : loss(result);
    } finally {
      // otherwise the gradients of every step stay in memory
      Arrays.stream(arguments).forEach(IValue::close);
    }
  }

  private double loss(IValue result) {
    try (PtNDArray array = (PtNDArray) result.toNDList(manager).singletonOrThrow()) {
      return array.toFloatArray()[0];
    }
  }

  @Override
  public boolean goesOn() {
    return true;
  }

  @Override
  public void close() {
    module.close();
    manager.close();
  }
}
