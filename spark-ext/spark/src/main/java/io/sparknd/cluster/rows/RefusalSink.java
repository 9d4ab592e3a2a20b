/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.rows;

import java.io.Serializable;

/** What is told of input that cannot be used. */
@FunctionalInterface
public interface RefusalSink extends Serializable {
  /** Fails the task at once; for rows that are read when nobody waits for the first refusal. */
  RefusalSink THROW =
      refusal -> {
        throw refusal.error();
      };

  void add(Refusals.Refusal refusal);
}
