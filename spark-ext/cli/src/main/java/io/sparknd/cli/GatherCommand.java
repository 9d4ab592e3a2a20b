/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import io.sparknd.cli.support.CliErrors;
import io.sparknd.cli.support.CliSession;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.kernel.Kernels;
import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.op.Indexing;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Tensor;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code sparknd gather}: reads slices of a tensor. */
@Command(
    name = "gather",
    description = {
      "Read the slices of a tensor at index tuples.",
      "Indices [..., k] into a tensor of shape S give a result of shape [...] + S[k:].",
    })
final class GatherCommand implements Runnable {
  @Option(
      names = "--data",
      required = true,
      paramLabel = "PATH",
      description = "The tensor: an .npy file, or a directory written by sparknd.")
  Path data;

  @Option(
      names = "--indices",
      required = true,
      paramLabel = "FILE",
      description = "Index tuples, .npy.")
  Path indices;

  @Option(
      names = "--dtype",
      paramLabel = "NAME",
      description =
          "Read data as this dtype, such as bfloat16 from a uint16 file. Default: the "
              + "file's dtype.")
  DType dtype;

  @Option(
      names = "--batch-dims",
      paramLabel = "N",
      defaultValue = "0",
      description = "Number of leading batch dimensions. Default: 0.")
  int batchDims;

  @Mixin PolicyOptions policies;

  @Option(
      names = "--fill-value",
      paramLabel = "VALUE",
      description =
          "With --bad-indices fill: the value of slices out of bounds, such as -1, nan or"
              + " true.")
  String fillValue;

  @Mixin EngineOptions engine;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "PATH",
      description = "Output file (.npy or .arrow) or new directory.")
  Path out;

  @Spec CommandSpec spec;

  @Override
  public void run() {
    CommandReport report = new CommandReport(spec.commandLine().getOut());
    TensorOutput target = TensorOutput.of(out);
    target.check(engine.engine);
    Tensor tuples = TensorInput.npy(indices, null);
    report.tensor("indices", tuples);
    TensorInput source = TensorInput.of(data, dtype);
    if (dtype != null && source instanceof TensorInput.Saved) {
      throw CliErrors.savedHasDtype(data, dtype);
    }
    if (engine.isLocal()) {
      local(source, tuples, target, report);
    } else {
      cluster(source, tuples, target, report);
    }
  }

  private GatherCall call(DType of, Tensor tuples) {
    Gather how = new Gather(policies.policy(of, fillValue));
    return new GatherCall(how, new Indexing.Tuples(batchDims), tuples);
  }

  private void local(TensorInput source, Tensor tuples, TensorOutput target, CommandReport report) {
    Tensor tensor = source.local();
    report.timed("data", CommandReport.text(tensor.dtype(), tensor.shape()));
    Tensor result =
        Kernels.named(engine.localKernel()).gather(tensor, call(tensor.dtype(), tuples));
    report.timed("gather", CommandReport.text(result.dtype(), result.shape()) + ", " + engine);
    target.write(result);
    report.timed("wrote", target.path());
  }

  private void cluster(
      TensorInput source, Tensor tuples, TensorOutput target, CommandReport report) {
    try (CliSession session = engine.session();
        DistributedTensor tensor = source.distributed(session.spark(), engine.partitioning())) {
      report.timed("data", tensor);
      try (DistributedTensor result = tensor.gather(call(tensor.dtype(), tuples))) {
        report.line("gather", result + ", " + engine);
        target.write(result);
        report.timed("wrote", target.path());
      }
    }
  }
}
