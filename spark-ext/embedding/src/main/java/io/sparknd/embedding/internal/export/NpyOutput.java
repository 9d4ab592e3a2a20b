/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.export;

import io.sparknd.tensor.NpyHeader;
import io.sparknd.tensor.NpyWriter;
import io.sparknd.tensor.SparkNdException;
import java.nio.file.Path;

/** Writes a tensor to an {@code .npy} file. */
record NpyOutput(NpyWriter writer) implements ElementOutput {
  static NpyOutput open(Path directory, ExportTensor tensor) {
    Path file = directory.resolve(tensor.part() + ".npy");
    return new NpyOutput(NpyWriter.open(file, NpyHeader.of(tensor.dtype(), tensor.shape())));
  }

  @Override
  public void append(Object array, int count) {
    writer.append(array, 0, count);
  }

  @Override
  public void finish() {
    writer.close();
  }

  @Override
  @SuppressWarnings("EmptyCatch")
  public void release() {
    try {
      writer.close();
    } catch (SparkNdException e) {
      // the writer has deleted the incomplete file; the export fails for another reason
    }
  }
}
