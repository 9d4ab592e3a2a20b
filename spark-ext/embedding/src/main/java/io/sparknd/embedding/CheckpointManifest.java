/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The content of the file that completes a checkpoint.
 *
 * @param training random id of the training
 * @param begin steps of the table that was trained
 * @param steps steps of the saved table
 * @param table name of the directory of the saved table
 * @param best name of the directory of the best version; null if none is kept
 * @param validations all validations of the training so far
 */
record CheckpointManifest(
    int format,
    String training,
    long begin,
    long steps,
    String table,
    @JsonSetter(nulls = Nulls.SET) @Nullable String best,
    List<ValidatedStep> validations) {
  static final int FORMAT = 1;

  /** Returns the distinct names of the directories that the checkpoint needs. */
  Set<String> directories() {
    return best == null || best.equals(table) ? Set.of(table) : Set.of(table, best);
  }
}
