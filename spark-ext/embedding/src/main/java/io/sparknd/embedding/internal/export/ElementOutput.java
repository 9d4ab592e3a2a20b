/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.export;

import java.io.IOException;

/** Receives the elements of a tensor in row-major order. */
interface ElementOutput {
  /** Appends elements {@code [0, count)} of an array of the tensor's storage. */
  void append(Object array, int count) throws IOException;

  /** Completes the tensor after its last element. */
  void finish() throws IOException;

  /** Releases resources, also if the tensor is not complete. */
  void release();
}
