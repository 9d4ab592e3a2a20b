/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import io.sparknd.arrow.ArrowTensors;
import io.sparknd.cli.support.CliErrors;
import io.sparknd.cluster.SavedTensorInfo;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.NpyHeader;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import io.sparknd.tensor.TensorErrors;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code sparknd info}: describes the tensor in a file or directory. */
@Command(
    name = "info",
    description = "Print dtype, shape and partitions of the tensor in a file or directory.")
final class InfoCommand implements Runnable {
  @Parameters(
      paramLabel = "PATH",
      description = "An .npy file, an .arrow file, or a directory written by sparknd.")
  Path path;

  @Option(
      names = "--dtype",
      paramLabel = "NAME",
      description = "Read an .npy file as this dtype, such as bfloat16 from a uint16 file.")
  DType dtype;

  @Spec CommandSpec spec;

  @Override
  public void run() {
    CommandReport report = new CommandReport(spec.commandLine().getOut());
    if (!Files.exists(path)) {
      throw CliErrors.noSuchFile(path);
    }
    if (Files.isDirectory(path)) {
      saved(report);
    } else if (path.toString().endsWith(".arrow")) {
      arrow(report);
    } else {
      npy(report);
    }
  }

  private void npy(CommandReport report) {
    NpyHeader header = header();
    header.checkFileSize(size());
    report.line("format", ".npy " + header.version() + ".0");
    tensor(report, header.dtype(), header.shape());
    report.line("bytes", header.dataBytes() + " from byte " + header.dataOffset());
    report.line("order", header.fortranOrder() ? "Fortran (column-major)" : "C (row-major)");
    report.line("declares", header);
  }

  private NpyHeader header() {
    if (dtype == null) {
      return NpyHeader.read(path);
    }
    try (InputStream in = new BufferedInputStream(Files.newInputStream(path))) {
      return NpyHeader.read(in, path.toString(), dtype);
    } catch (IOException e) {
      throw TensorErrors.unreadableFile(path.toString(), e);
    }
  }

  private long size() {
    try {
      return Files.size(path);
    } catch (IOException e) {
      throw TensorErrors.unreadableFile(path.toString(), e);
    }
  }

  private void arrow(CommandReport report) {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(path))) {
      Tensor tensor = ArrowTensors.read(in, path.toString());
      report.line("format", "Arrow IPC, arrow.fixed_shape_tensor");
      tensor(report, tensor.dtype(), tensor.shape());
      report.line("bytes", size());
    } catch (IOException e) {
      throw TensorErrors.unreadableFile(path.toString(), e);
    }
  }

  private void saved(CommandReport report) {
    SavedTensorInfo info = SavedTensorInfo.read(path);
    report.line("format", "saved by SparkND");
    tensor(report, info.dtype(), info.shape());
    report.line("bytes", info.fileBytes());
    report.line(
        "files", info.partitions() + " partitions, blocks of " + info.blockBytes() + " bytes");
  }

  private static void tensor(CommandReport report, DType dtype, Shape shape) {
    report.line("dtype", dtype);
    report.line("shape", shape);
    report.line("elements", shape.elements());
  }
}
