/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.demo;

import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.op.SliceOffsets;
import io.sparknd.tensor.Npy;
import io.sparknd.tensor.Tensor;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A scatter read from the user's files.
 *
 * @param file the {@code .npy} file of {@code data}
 * @param data the target tensor
 * @param slices number of distinct slices that the call updates
 */
record FileInput(Path file, Tensor data, ScatterCall call, long slices) {

  /**
   * Reads the files and checks that they match.
   *
   * @throws io.sparknd.tensor.SparkNdException if a file cannot be read, shapes or dtypes do not
   *     match, or an index is out of bounds
   */
  static FileInput read(Path file, Path indicesFile, Path updatesFile, Reduction reduction) {
    Tensor data = Npy.read(file);
    Tensor indices = Npy.read(indicesFile);
    ScatterCall call = ScatterCall.of(Scatter.of(reduction), indices, Npy.read(updatesFile));
    IndexPlan plan = call.plan(data.dtype(), data.shape());
    long[] offsets = SliceOffsets.of(plan, indices, call.how().indices()).resolveAll();
    return new FileInput(file, data, call, Arrays.stream(offsets).distinct().count());
  }

  /** Prints what was read. */
  void report(TextReport page) {
    long slots = call.plan(data.dtype(), data.shape()).slots();
    page.heading("Input: " + file);
    page.line("%s%s".formatted(data.dtype(), data.shape()));
    page.line(
        "%s index tuples for %s slices: %s are duplicates"
            .formatted(
                TextReport.number(slots),
                TextReport.number(slices),
                TextReport.share(slots - slices, slots)));
  }

  /** Scatters, then gathers the updated slices in the order of the indices. */
  DemoRun.Findings run(CheckedEngine engine) {
    CheckedTensor result = engine.scatter("result", file, data, call);
    engine.gather("touched", result, GatherCall.of(Gather.strict(), call.indices()));
    return new NoFindings();
  }

  /** Findings without further output: the indices have no names. */
  private static final class NoFindings implements DemoRun.Findings {
    @Override
    public void report(TextReport page) {}

    @Override
    public void writeNames(OutputFiles files) {}
  }
}
