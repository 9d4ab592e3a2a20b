/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.util.List;
import java.util.stream.Stream;

/**
 * The arrays of a {@link LocalShard}, which are used again from step to step and from job to job:
 * new ones of a hundred megabytes have to be filled with zeros, and garbage collections copy them.
 */
final class ShardArrays {
  private final RowBudget budget;
  private final PayloadArrays payloads = new PayloadArrays();
  private final List<RowArrays> ofTables;

  ShardArrays(int tables, RowBudget budget) {
    this.budget = budget;
    this.ofTables = Stream.generate(RowArrays::new).limit(tables).toList();
  }

  /** Returns the arrays of the gradients in messages. */
  PayloadArrays payloads() {
    return payloads;
  }

  /** Returns the arrays of a table's rows. */
  RowArrays ofTable(int table) {
    return ofTables.get(table);
  }

  /** Releases the memory. */
  void release() {
    ofTables.forEach(RowArrays::release);
    payloads.clear();
  }

  /**
   * Makes space for rows in place of the ones before, whose gradients are zeros again.
   *
   * @param elements number of elements of the rows of each table
   * @return whether they fit into memory
   */
  boolean resize(int[] elements) {
    long bytes = 0;
    long before = 0;
    for (int table = 0; table < elements.length; table++) {
      before += ofTable(table).length();
      bytes += ofTable(table).lengthFor(elements[table]);
    }
    boolean fits = budget.take(bytes * Float.BYTES, before * Float.BYTES);
    for (int table = 0; table < elements.length; table++) {
      ofTable(table).resize(fits ? elements[table] : 0);
    }
    return fits;
  }
}
