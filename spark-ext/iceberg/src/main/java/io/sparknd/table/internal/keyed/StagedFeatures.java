/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.table.options.BadKeys;
import io.sparknd.table.options.FeatureUpdates;
import io.sparknd.table.reduction.VariableReduction;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * One scatter of a commit to a feature table, with its rows not read yet.
 *
 * @param rows key columns with the names of the table's, and columns with the names of variables
 * @param variables names of the variables to change; empty for all columns of {@code rows} that are
 *     not part of the key
 * @param reduction reduction of all these variables; empty for the declared ones
 * @param orderBy columns that order rows of one key; if empty, row order
 * @param badKeys what happens to rows whose key is NULL or out of bounds
 */
public record StagedFeatures(
    Dataset<Row> rows,
    List<String> variables,
    Optional<VariableReduction> reduction,
    List<String> orderBy,
    KeyPolicy badKeys) {

  /** Returns a scatter with the options of a caller. */
  public static StagedFeatures of(Dataset<Row> rows, FeatureUpdates how) {
    KeyPolicy badKeys = how.badKeys() == BadKeys.IGNORE ? KeyPolicy.IGNORE : KeyPolicy.ERROR;
    return new StagedFeatures(rows, how.variables(), how.reduction(), how.orderBy(), badKeys);
  }

  /** What happens to rows whose key is NULL or out of bounds. */
  public enum KeyPolicy {
    ERROR,
    IGNORE,
    /** They are kept, in a block that no file has. */
    NO_BLOCK
  }
}
