/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.result;

import java.util.OptionalLong;

/**
 * The result of a publication.
 *
 * @param snapshot the snapshot whose rows the online store has now; empty if nothing was written to
 *     the table yet
 * @param kind which rows were sent
 * @param upserted number of rows sent with their values
 * @param deleted number of rows deleted
 * @param bytes bytes of keys and values sent
 */
public record TablePublication(
    OptionalLong snapshot, Kind kind, long upserted, long deleted, long bytes) {

  /** Which rows a publication sends. */
  public enum Kind {
    /** The store had this snapshot already. */
    UNCHANGED,
    /** The rows that differ from the snapshot that the store had. */
    CHANGES,
    /**
     * All rows, since the store had none, its snapshot has expired, the table has other variables
     * or value columns, or a row was corrected at which the publication before failed.
     */
    FULL
  }
}
