/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparknd.cluster.files.SavedTensor;
import io.sparknd.cluster.files.SavedTensor.Manifest;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.TensorErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a directory that {@link DistributedTensor#save} wrote says of its tensor, without Spark.
 *
 * @param partitions that it was saved in, each a file
 * @param blockBytes the most bytes in a block
 * @param fileBytes bytes of all files of blocks, on disk
 */
public record SavedTensorInfo(
    DType dtype, Shape shape, int partitions, int blockBytes, long fileBytes) {
  /**
   * Reads it.
   *
   * @param directory of this machine
   * @throws io.sparknd.tensor.SparkNdException if no tensor is saved there, or a file of it is gone
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
    try {
      return new ObjectMapper()
          .readValue(Files.readAllBytes(directory.resolve(SavedTensor.MANIFEST)), Manifest.class);
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
