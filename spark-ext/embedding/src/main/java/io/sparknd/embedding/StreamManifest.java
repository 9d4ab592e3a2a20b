/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.util.Map;

/**
 * The content of the file that completes the checkpoint of a micro-batch.
 *
 * @param batches last micro-batch of each streaming query, by the id of the query
 * @param steps steps of the saved table
 * @param table name of the directory of the saved table
 */
record StreamManifest(int format, Map<String, Long> batches, long steps, String table) {
  static final int FORMAT = 1;

  StreamManifest {
    batches = Map.copyOf(batches);
  }
}
