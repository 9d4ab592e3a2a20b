/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.internal.rows.StoredRows;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads all that tables store. */
final class StoredTables {
  private StoredTables() {}

  /** Returns the bits of weights and state, then the usage, of each updated row by its id. */
  static Map<Long, List<Long>> rows(EmbeddingTable table) {
    StoredRows reader = new StoredRows(table.layout(), table.directory());
    Map<Long, List<Long>> rows = new TreeMap<>();
    table.rdd().map(reader::of).collect().forEach(rows::putAll);
    return rows;
  }

  /**
   * Returns the last step and the number of steps of each key that has no row yet; of a filter its
   * counters.
   */
  static Map<Long, List<Long>> candidates(EmbeddingTable table) {
    StoredRows reader = new StoredRows(table.layout(), table.directory());
    Map<Long, List<Long>> keys = new TreeMap<>();
    table.rdd().map(reader::candidates).collect().forEach(keys::putAll);
    return keys;
  }

  /** Returns the number of blocks that are in slabs. */
  static long blocksInSlabs(EmbeddingTable table) {
    StoredRows reader = new StoredRows(table.layout(), table.directory());
    return table.rdd().map(reader::blocksInSlabs).reduce(Long::sum);
  }
}
