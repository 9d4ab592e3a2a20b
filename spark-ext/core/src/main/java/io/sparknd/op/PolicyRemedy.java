/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

/** What the message for a rejected index recommends besides correcting the index. */
public enum PolicyRemedy {
  /** The options {@code bad_indices} and {@code negative}. */
  OPTIONS,
  /** {@link BadIndices#IGNORE}, the only other policy of TensorFlow's operators. */
  IGNORE,
  /** Nothing: the operator takes no policy. */
  NONE
}
