/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.rows;

import java.io.Serializable;

/** Receives errors of unusable input. */
@FunctionalInterface
public interface RowErrorSink extends Serializable {
  /** Fails the task at once, for rows that are read when the driver does not wait for errors. */
  RowErrorSink THROW =
      rowError -> {
        throw rowError.error();
      };

  void add(RowErrors.RowError rowError);
}
