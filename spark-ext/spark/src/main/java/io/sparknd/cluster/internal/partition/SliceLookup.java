/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.partition;

/** Locates the slices of one partition by their numbers there. Not thread-safe. */
public interface SliceLookup {
  /** Whether slices have no units; they are then in no array. */
  boolean areEmpty();

  /** Returns the array that holds a slice. */
  Object array(long slice);

  /** Returns the unit of {@link #array} at which a slice begins. */
  int unit(long slice);
}
