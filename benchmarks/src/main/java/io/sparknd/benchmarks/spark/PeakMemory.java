/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

/**
 * The memory that a query took.
 *
 * @param heapBytes the most bytes of heap that were live after a garbage collection: of driver and
 *     tasks, which share the JVM
 * @param executionBytes the most execution memory that Spark's memory manager gave to one task:
 *     hash maps, sorts and joins, but not what is broadcast
 */
record PeakMemory(long heapBytes, long executionBytes) {
  static PeakMemory parse(String text) {
    String[] parts = text.split(" ");
    return new PeakMemory(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
  }

  /** Returns the text that {@link #parse} parses. */
  @Override
  public String toString() {
    return heapBytes + " " + executionBytes;
  }
}
