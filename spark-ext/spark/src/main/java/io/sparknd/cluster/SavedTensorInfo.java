/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.files.SavedTensor;
import io.sparknd.cluster.internal.files.SavedTensor.Manifest;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.TensorErrors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Metadata of a tensor directory that {@link DistributedTensor#save} wrote, read without Spark.
 *
 * @param partitions the partitions that it was saved in, one file each
 * @param blockBytes the maximum bytes in a block
 * @param fileBytes total size of the block files on disk
 */
public record SavedTensorInfo(
    DType dtype, Shape shape, int partitions, int blockBytes, long fileBytes) {
  /**
   * Reads the metadata of {@code directory}.
   *
   * @param directory a local directory
   * @throws io.sparknd.tensor.SparkNdException if it holds no saved tensor, or one of its files is
   *     missing
   */
  public static SavedTensorInfo read(Path directory) {
    Manifest manifest = manifest(directory);
    long bytes = 0;
    for (String file : manifest.files()) {
      bytes += size(directory.resolve(file));
    }
    return new SavedTensorInfo(
        DType.named(manifest.dtype()),
        Shape.of(manifest.shape()),
        manifest.partitions(),
        manifest.blockBytes(),
        bytes);
  }

  private static Manifest manifest(Path directory) {
    try (InputStream in = Files.newInputStream(directory.resolve(SavedTensor.MANIFEST))) {
      return Manifest.read(in);
    } catch (IOException e) {
      throw ClusterErrors.notASavedTensor(directory.toString(), e);
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw TensorErrors.unreadableFile(file.toString(), e);
    }
  }
}
