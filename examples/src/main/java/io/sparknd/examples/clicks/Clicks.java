/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import java.io.Serializable;

/**
 * A batch of examples of a click log.
 *
 * @param features feature numbers, one per field and example, in the order of the examples
 * @param clicked the label of each example
 * @param fields features per example
 */
public record Clicks(int[] features, boolean[] clicked, int fields) implements Serializable {
  /** The number of examples. */
  public int count() {
    return clicked.length;
  }
}
