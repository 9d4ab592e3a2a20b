/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.table.internal.store.BlockFiles;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * The map side of an eviction: puts positions of rows together by file, and keys them by block.
 *
 * @param blocks blocks of all files, by location
 * @param only the blocks whose rows are wanted; null for all
 */
public record EvictedPositions(Broadcast<Map<String, Long>> blocks, @Nullable Set<Long> only)
    implements Serializable {

  /** Returns the blocks of all files, by location. */
  public static Map<String, Long> blocks(Map<Long, BlockFiles> files) {
    Map<String, Long> blocks = new HashMap<>();
    files.forEach(
        (block, stored) -> stored.files().forEach(file -> blocks.put(file.location(), block)));
    return blocks;
  }

  /**
   * Groups rows.
   *
   * @param rows location of a file and position in it
   */
  public Iterator<Tuple2<Long, Serializable>> run(Iterator<Row> rows) {
    Map<String, IntStream.Builder> found = new HashMap<>();
    while (rows.hasNext()) {
      Row row = rows.next();
      found
          .computeIfAbsent(row.getString(0), file -> IntStream.builder())
          .add(Math.toIntExact(row.getLong(1)));
    }
    List<Tuple2<Long, Serializable>> grouped = new ArrayList<>();
    found.forEach(
        (file, positions) -> {
          Long block = blocks.value().get(file);
          if (block == null) { // a row that is left out would stay in silence
            throw new IllegalStateException("file " + file + " is not in the plan of its snapshot");
          }
          if (only == null || only.contains(block)) {
            grouped.add(new Tuple2<>(block, new FilePositions(file, positions.build().toArray())));
          }
        });
    return grouped.iterator();
  }
}
