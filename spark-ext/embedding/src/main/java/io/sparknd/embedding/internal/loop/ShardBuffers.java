/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import io.sparknd.embedding.internal.step.PayloadBuffers;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The buffers of a {@link LocalShard}, which are reused from step to step and from job to job: new
 * arrays of a hundred megabytes have to be filled with zeros, and garbage collections copy them.
 */
final class ShardBuffers {
  private final RowBudget budget;
  private final PayloadBuffers payloads = new PayloadBuffers();
  private final List<RowBuffers> ofTables;

  ShardBuffers(int tables, RowBudget budget) {
    this.budget = budget;
    this.ofTables = Stream.generate(RowBuffers::new).limit(tables).toList();
  }

  /** Returns the buffers of the gradients in messages. */
  PayloadBuffers payloads() {
    return payloads;
  }

  /** Returns the buffers of a table's rows. */
  RowBuffers ofTable(int table) {
    return ofTables.get(table);
  }

  /** Releases the memory. */
  void release() {
    ofTables.forEach(RowBuffers::release);
    payloads.release();
  }

  /**
   * Makes space for other rows, if they fit into memory. The gradients of the rows before must have
   * been taken.
   *
   * @param elements number of elements of the rows of each table
   */
  void resize(int[] elements) {
    long before = ofTables.stream().mapToLong(RowBuffers::used).sum();
    long next = Arrays.stream(elements).asLongStream().sum();
    boolean fits = budget.take(next * Float.BYTES, before * Float.BYTES);
    for (int table = 0; table < elements.length; table++) {
      ofTable(table).resize(fits ? elements[table] : 0);
    }
  }
}
