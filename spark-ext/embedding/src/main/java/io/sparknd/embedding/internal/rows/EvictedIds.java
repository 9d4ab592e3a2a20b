/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Ids of a partition that were evicted since a checkpoint; the next delta contains them.
 *
 * @param checkpoint id of the checkpoint; empty if there is none
 * @param ids ascending
 */
record EvictedIds(String checkpoint, long[] ids) {
  static final EvictedIds NONE = new EvictedIds("", new long[0]);

  /** Returns these ids and others, unless these were evicted since another checkpoint. */
  EvictedIds and(String since, long[] others) {
    if (since.isEmpty()) {
      return NONE;
    }
    LongStream all = LongStream.concat(Arrays.stream(since(since)), Arrays.stream(others));
    return new EvictedIds(since, all.sorted().distinct().toArray());
  }

  /** Returns the ids that were evicted since a checkpoint of this table. */
  long[] since(String other) {
    return checkpoint.equals(other) ? ids : new long[0];
  }

  /** Returns the ids since a checkpoint of this table, by the partition that owns each. */
  EvictedIds[] split(String since, RowDirectory owners) {
    Map<Integer, List<Long>> split =
        Arrays.stream(since(since)).boxed().collect(Collectors.groupingBy(owners::owner));
    EvictedIds[] parts = new EvictedIds[owners.partitions()];
    Arrays.fill(parts, NONE);
    split.forEach(
        (owner, some) ->
            parts[owner] =
                new EvictedIds(since, some.stream().mapToLong(Long::longValue).toArray()));
    return parts;
  }

  boolean isEmpty() {
    return ids.length == 0;
  }
}
