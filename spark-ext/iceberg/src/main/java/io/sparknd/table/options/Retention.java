/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.options;

import java.time.Duration;

/**
 * How long a table retains snapshots.
 *
 * @param snapshots age from which snapshots expire, except the current one and those that tags and
 *     branches reference
 */
public record Retention(Duration snapshots) {

  /** Returns a retention of snapshots up to that age. */
  public static Retention of(Duration snapshots) {
    return new Retention(snapshots);
  }
}
