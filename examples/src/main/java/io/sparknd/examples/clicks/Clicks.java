/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import java.io.Serializable;

/**
 * Examples of a log that are learnt of together.
 *
 * @param features numbers of the features that an example has, one a field; those of the first
 *     example come first
 * @param clicked whether it was, one an example
 * @param fields features of an example
 */
public record Clicks(int[] features, boolean[] clicked, int fields) implements Serializable {
  /** How many examples there are. */
  public int count() {
    return clicked.length;
  }
}
