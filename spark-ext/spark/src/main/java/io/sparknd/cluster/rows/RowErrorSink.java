/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.rows;

import java.io.Serializable;

/** What is told of input that cannot be used. */
@FunctionalInterface
public interface RowErrorSink extends Serializable {
  /** Fails the task at once; for rows that are read when nobody waits for the first refusal. */
  RowErrorSink THROW =
      refusal -> {
        throw refusal.error();
      };

  void add(RowErrors.Refusal refusal);
}
