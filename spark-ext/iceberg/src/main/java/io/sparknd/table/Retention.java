/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import java.time.Duration;

/**
 * How long a table remembers.
 *
 * @param snapshots older ones are forgotten, but for the current one and those that tags and
 *     branches name
 */
public record Retention(Duration snapshots) {

  /** Snapshots of that age. */
  public static Retention of(Duration snapshots) {
    return new Retention(snapshots);
  }
}
