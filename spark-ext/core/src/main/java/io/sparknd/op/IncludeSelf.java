/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

/** Whether the updated element is part of the fold, as PyTorch's {@code include_self}. */
public enum IncludeSelf {
  /** The fold starts from the element; the default. */
  INCLUDED,
  /** The first update replaces the element and the fold continues from it. */
  EXCLUDED
}
