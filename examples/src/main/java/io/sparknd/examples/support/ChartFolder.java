/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

import io.sparknd.tensor.TensorErrors;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The folder of an example's charts. */
public final class ChartFolder {
  private ChartFolder() {}

  /**
   * Creates the folder if it is missing, before the example trains.
   *
   * @throws io.sparknd.tensor.SparkNdException if no files can be written there
   */
  public static void create(Path folder) {
    try {
      Files.createDirectories(folder);
      if (!Files.isWritable(folder)) {
        throw new AccessDeniedException(folder.toString());
      }
    } catch (IOException e) {
      throw TensorErrors.unwritableFile(folder.toString(), e);
    }
  }
}
