/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.layout;

/** Where the slices of one partition are, by their numbers there. Not for several threads. */
public interface SliceLookup {
  /** Whether slices have no units, and lie in no array. */
  boolean areEmpty();

  /** The array that holds a slice. */
  Object array(long slice);

  /** The unit of {@link #array} at which it begins. */
  int unit(long slice);
}
