/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import io.sparknd.cli.support.CliSession;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.kernel.Kernels;
import io.sparknd.op.Duplicates;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.nio.file.Path;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The command {@code sparknd scatter}: writes updates into a tensor. */
@Command(
    name = "scatter",
    description = {
      "Write updates into a tensor at index tuples.",
      "Indices [..., k] into a tensor of shape S address slices of shape S[k:]; "
          + "updates have the shape [...] + S[k:]. They apply in the row-major order of the"
          + " indices.",
    })
final class ScatterCommand implements Runnable {
  @ArgGroup(multiplicity = "1")
  Into into;

  /** The target of the scatter. */
  static final class Into {
    @Option(
        names = "--data",
        paramLabel = "PATH",
        description = "The tensor: an .npy file, or a directory written by sparknd.")
    Path data;

    @Option(
        names = "--shape",
        paramLabel = "8,64",
        description = "Instead of --data: zeros (or empty strings) of this shape.")
    Shape shape;
  }

  @Option(
      names = "--indices",
      required = true,
      paramLabel = "FILE",
      description = "Index tuples, .npy.")
  Path indices;

  @Option(names = "--updates", required = true, paramLabel = "FILE", description = "Updates, .npy.")
  Path updates;

  @Option(
      names = "--dtype",
      paramLabel = "NAME",
      description =
          "Read data and updates as this dtype, such as bfloat16 from uint16 files. "
              + "Default: the files' dtype.")
  DType dtype;

  @Option(
      names = "--reduction",
      paramLabel = "NAME",
      defaultValue = "none",
      description =
          "Reduction of update and element: none, add, sub, mul, div, min, max, fmin, "
              + "fmax, mean. Default: none, the last update wins.")
  Reduction reduction;

  @Option(
      names = "--duplicates",
      paramLabel = "in-order|error",
      defaultValue = "in-order",
      description =
          "Several updates of one slice: in-order (apply all in order) or error. Default:"
              + " in-order.",
      converter = DuplicatesConverter.class)
  Duplicates duplicates;

  @Option(
      names = "--exclude-self",
      description =
          "The first update of a slice replaces its old value (as include_self=False in "
              + "PyTorch).")
  boolean excludeSelf;

  @Mixin PolicyOptions policies;
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
    Tensor indexTuples = TensorInput.npy(indices, null);
    Tensor values = TensorInput.npy(updates, dtype);
    ScatterCall call = ScatterCall.of(how(), indexTuples, values);
    report.tensor("indices", indexTuples);
    report.tensor("updates", values);
    TensorInput source =
        into.data == null
            ? new TensorInput.Zeros(values.dtype(), into.shape)
            : TensorInput.of(into.data, dtype);
    if (engine.isLocal()) {
      local(source, call, target, report);
    } else {
      cluster(source, call, target, report);
    }
  }

  private Scatter how() {
    return Scatter.of(reduction)
        .withIndices(policies.policy())
        .withDuplicates(duplicates)
        .withSelf(excludeSelf ? IncludeSelf.EXCLUDED : IncludeSelf.INCLUDED);
  }

  private void local(
      TensorInput source, ScatterCall call, TensorOutput target, CommandReport report) {
    Tensor data = source.local();
    report.timed("data", CommandReport.text(data.dtype(), data.shape()));
    Tensor result = Kernels.named(engine.localKernel()).scatter(data, call);
    report.timed("scatter", reduction + ", " + engine);
    target.write(result);
    report.timed("wrote", target.path());
  }

  private void cluster(
      TensorInput source, ScatterCall call, TensorOutput target, CommandReport report) {
    try (CliSession session = engine.session();
        DistributedTensor data = source.distributed(session.spark(), engine.partitioning())) {
      report.timed("data", data);
      try (DistributedTensor result = data.scatter(call)) {
        report.timed("scatter", reduction + ", " + engine);
        target.write(result);
        report.timed("wrote", target.path());
      }
    }
  }

  /** Converts {@code in-order} and {@code error}. */
  static final class DuplicatesConverter implements ITypeConverter<Duplicates> {
    @Override
    public Duplicates convert(String word) {
      return switch (word) {
        case "in-order" -> Duplicates.IN_ORDER;
        case "error" -> Duplicates.ERROR;
        default ->
            throw new TypeConversionException("'" + word + "' is unknown; use in-order or error");
      };
    }
  }
}
