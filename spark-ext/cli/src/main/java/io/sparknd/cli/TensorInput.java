/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import io.sparknd.cli.support.CliErrors;
import io.sparknd.cli.support.LocalLocation;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Npy;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/** The source of a call's tensor. */
sealed interface TensorInput {
  /** Returns the tensor in this JVM. */
  Tensor local();

  /** Returns the tensor distributed over the cluster. */
  DistributedTensor distributed(SparkSession spark, Partitioning partitioning);

  /**
   * Returns the tensor in a file or directory.
   *
   * @param dtype to read the bits of an {@code .npy} file as; null for the dtype in its header, and
   *     for directories, which store theirs
   */
  static TensorInput of(Path path, DType dtype) {
    if (!Files.exists(path)) {
      throw CliErrors.noSuchFile(path);
    }
    return Files.isDirectory(path) ? new Saved(path) : new NpyFile(path, dtype);
  }

  /** An {@code .npy} file. */
  record NpyFile(Path path, DType dtype) implements TensorInput {
    @Override
    public Tensor local() {
      return TensorInput.npy(path, dtype);
    }

    @Override
    public DistributedTensor distributed(SparkSession spark, Partitioning partitioning) {
      String file = LocalLocation.of(path);
      return dtype == null
          ? DistributedTensor.fromNpy(spark, file, partitioning)
          : DistributedTensor.fromNpy(spark, file, dtype, partitioning);
    }
  }

  /** A directory written by {@link DistributedTensor#save}. */
  record Saved(Path path) implements TensorInput {
    @Override
    public Tensor local() {
      throw CliErrors.savedNeedsCluster(path);
    }

    @Override
    public DistributedTensor distributed(SparkSession spark, Partitioning partitioning) {
      return DistributedTensor.load(spark, LocalLocation.of(path), partitioning);
    }
  }

  /** Zeros, or empty strings. */
  record Zeros(DType dtype, Shape shape) implements TensorInput {
    @Override
    public Tensor local() {
      return Tensor.zeros(dtype, shape);
    }

    @Override
    public DistributedTensor distributed(SparkSession spark, Partitioning partitioning) {
      return DistributedTensor.zeros(spark, dtype, shape, partitioning);
    }
  }

  /** Reads an {@code .npy} file, with its bits as {@code dtype} unless that is null. */
  static Tensor npy(Path path, @Nullable DType dtype) {
    return dtype == null ? Npy.read(path) : Npy.read(path, dtype);
  }
}
