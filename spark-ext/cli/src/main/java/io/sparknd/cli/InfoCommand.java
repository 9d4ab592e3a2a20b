/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import io.sparknd.arrow.ArrowTensors;
import io.sparknd.cli.support.CliErrors;
import io.sparknd.cli.support.JsonOutput;
import io.sparknd.cluster.SavedTensorInfo;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.NpyHeader;
import io.sparknd.tensor.TensorErrors;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
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

  @Option(names = "--json", description = "Print one JSON object.")
  boolean json;

  @Spec CommandSpec spec;

  @Override
  public void run() {
    TensorSummary summary = summary();
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      JsonOutput.print(summary, out);
    } else {
      CommandReport report = new CommandReport(out);
      summary.lines().forEach(report::line);
    }
  }

  private TensorSummary summary() {
    if (!Files.exists(path)) {
      throw CliErrors.noSuchFile(path);
    }
    boolean isArrow = path.toString().endsWith(".arrow");
    if (dtype != null && (isArrow || Files.isDirectory(path))) {
      throw CliErrors.savedHasDtype(path, dtype);
    }
    if (Files.isDirectory(path)) {
      return TensorSummary.of(SavedTensorInfo.read(path));
    }
    return isArrow ? arrow() : npy();
  }

  private TensorSummary npy() {
    NpyHeader header = header();
    header.checkFileSize(size());
    return TensorSummary.of(header);
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

  private TensorSummary arrow() {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(path))) {
      return TensorSummary.of(ArrowTensors.read(in, path.toString()), size());
    } catch (IOException e) {
      throw TensorErrors.unreadableFile(path.toString(), e);
    }
  }
}
