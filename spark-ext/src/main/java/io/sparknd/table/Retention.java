/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import java.time.Duration;

/**
 * How long a table remembers.
 *
 * @param snapshots older ones are forgotten, but for the current one and those that tags and
 *     branches name
 * @param orphans files of failed writers are deleted when they are older; must be longer than any
 *     scatter takes, as files look like that until they are committed
 */
public record Retention(Duration snapshots, Duration orphans) {

  /** Snapshots of that age; orphans after three days. */
  public static Retention of(Duration snapshots) {
    return new Retention(snapshots, Duration.ofDays(3));
  }

  public Retention withOrphans(Duration age) {
    return new Retention(snapshots, age);
  }
}
