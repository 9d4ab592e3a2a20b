/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.export;

import java.util.Locale;

/** The tensors of an export. */
enum TensorPart {
  WEIGHT,
  SCALE,
  IDS;

  /** Returns the name of the tensor. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
