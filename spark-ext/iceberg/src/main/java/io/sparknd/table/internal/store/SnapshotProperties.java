/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import java.util.Map;
import java.util.TreeMap;

/**
 * Keys that SparkND writes into the summaries of snapshots. docs/reference/metrics.md lists them.
 */
public final class SnapshotProperties {
  /** The id of the operation that committed the snapshot. */
  public static final String OPERATION = "sparknd.operation";

  /** The number of updates given, dropped ones included. */
  public static final String UPDATES = "sparknd.updates";

  /**
   * The number of updates that were dropped, if there were any: out of bounds, or {@link #LATE}.
   */
  public static final String DROPPED = "sparknd.dropped";

  /** The number of updates that came after their tile was evicted, if there were any. */
  public static final String LATE = "sparknd.late";

  /** The number of blocks that updates or evictions changed. */
  public static final String BLOCKS = "sparknd.blocks";

  /** The reductions of the scatters into a tensor, in order, separated by commas. */
  public static final String REDUCTION = "sparknd.reduction";

  /** The number of evicted rows. */
  public static final String EVICTED_ROWS = "sparknd.evicted-rows";

  /** The number of entries of the numbered axis after a change of its size. */
  public static final String SIZE = "sparknd.size";

  /** The id of the batch. */
  public static final String BATCH_ID = "sparknd.batch-id";

  /** The newest ancestor that has a history property. */
  public static final String BATCH_HISTORY = "sparknd.batch-history";

  /** The time of the batch or eviction, in ISO 8601. */
  public static final String VALID_AT = "sparknd.valid-at";

  /** The latest time of the commit and of those before it, in ISO 8601. */
  public static final String VALID_THROUGH = "sparknd.valid-through";

  private SnapshotProperties() {}

  /** Returns the entries with the numbers of updates. */
  public static Map<String, String> counts(long updates, long dropped) {
    Map<String, String> counts = new TreeMap<>(Map.of(UPDATES, Long.toString(updates)));
    if (dropped > 0) {
      counts.put(DROPPED, Long.toString(dropped));
    }
    return counts;
  }
}
