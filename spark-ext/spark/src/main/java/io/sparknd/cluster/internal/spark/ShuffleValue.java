/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

/** The value of a record of a shuffle. */
public interface ShuffleValue extends KnownSize {
  /** Returns the bytes of the record, with its key, in a shuffle file that is not compressed. */
  long recordBytes();
}
