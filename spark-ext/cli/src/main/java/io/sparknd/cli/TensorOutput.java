/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import io.sparknd.arrow.ArrowTensors;
import io.sparknd.cli.support.CliErrors;
import io.sparknd.cli.support.LocalLocation;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.tensor.Npy;
import io.sparknd.tensor.Tensor;
import io.sparknd.tensor.TensorErrors;
import io.sparknd.tensor.internal.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** The target of a result. Writes are atomic: existing data stays until the result is complete. */
sealed interface TensorOutput {
  /** Extensions of files that a user expects to be no directory. */
  Set<String> OTHER_FORMATS =
      Set.of(
          "npz",
          "pt",
          "pth",
          "safetensors",
          "h5",
          "hdf5",
          "parquet",
          "orc",
          "feather",
          "csv",
          "json",
          "txt",
          "bin",
          "zip");

  Path path();

  /**
   * Checks that the result can be written, before anything is computed.
   *
   * @param engine that computes the result
   * @throws io.sparknd.tensor.SparkNdException naming the obstacle
   */
  void check(EngineOptions.Engine engine);

  void write(Tensor tensor);

  void write(DistributedTensor tensor);

  /**
   * Selects the format by the file extension: {@code .npy}, {@code .arrow}, else a directory.
   *
   * @throws io.sparknd.tensor.SparkNdException if the extension is of another format
   */
  static TensorOutput of(Path path) {
    String extension = extension(path);
    if (OTHER_FORMATS.contains(extension)) {
      throw CliErrors.outputFormat(path, extension);
    }
    return switch (extension) {
      case "npy" -> new NpyFile(path);
      case "arrow" -> new ArrowFile(path);
      default -> new Directory(path);
    };
  }

  private static String extension(Path path) {
    String name = String.valueOf(path.getFileName());
    int dot = name.lastIndexOf('.');
    return dot < 0 ? "" : name.substring(dot + 1).toLowerCase(Locale.ROOT);
  }

  private static void checkFile(Path path) {
    if (Files.isDirectory(path)) {
      throw TensorErrors.isDirectory(path.toString());
    }
    checkParent(path);
  }

  private static void checkParent(Path path) {
    Path parent = path.toAbsolutePath().getParent();
    if (parent != null && !Files.isDirectory(parent)) {
      throw CliErrors.notADirectory(parent);
    }
  }

  /** An {@code .npy} file. */
  record NpyFile(Path path) implements TensorOutput {
    @Override
    public void check(EngineOptions.Engine engine) {
      checkFile(path);
    }

    @Override
    public void write(Tensor tensor) {
      Npy.write(tensor, path);
    }

    @Override
    public void write(DistributedTensor tensor) {
      tensor.toNpy(path);
    }
  }

  /** An Arrow IPC stream. */
  record ArrowFile(Path path) implements TensorOutput {
    @Override
    public void check(EngineOptions.Engine engine) {
      checkFile(path);
    }

    @Override
    public void write(Tensor tensor) {
      ArrowTensors.write(tensor, path);
    }

    @Override
    public void write(DistributedTensor tensor) {
      try {
        AtomicFile.write(path, tensor::toArrow);
      } catch (IOException e) {
        throw TensorErrors.unwritableFile(path.toString(), e);
      }
    }
  }

  /** A directory of blocks, for {@link DistributedTensor#load}. */
  record Directory(Path path) implements TensorOutput {
    @Override
    public void check(EngineOptions.Engine engine) {
      if (engine == EngineOptions.Engine.LOCAL) {
        throw CliErrors.savedNeedsCluster(path);
      }
      if (Files.isRegularFile(path)) {
        throw CliErrors.targetIsFile(path);
      }
      checkParent(path);
      if (Files.isDirectory(path) && !isEmpty(path)) {
        throw ClusterErrors.targetNotEmpty(path.toString());
      }
    }

    private static boolean isEmpty(Path directory) {
      try (Stream<Path> files = Files.list(directory)) {
        return files.findAny().isEmpty();
      } catch (IOException e) {
        throw TensorErrors.unreadableFile(directory.toString(), e);
      }
    }

    @Override
    public void write(Tensor tensor) {
      throw CliErrors.savedNeedsCluster(path);
    }

    @Override
    public void write(DistributedTensor tensor) {
      tensor.save(LocalLocation.of(path));
    }
  }
}
