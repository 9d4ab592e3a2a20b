/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.metrics.MissingKeyListener;
import io.sparknd.op.Gather;
import java.util.List;
import java.util.Optional;

/**
 * A gather from a {@link KeyedRelation}: how rows name keys, and which columns are added to them.
 *
 * @param how policy for keys that are NULL, out of bounds or malformed: an error, or fill values
 * @param keyColumns columns of the rows with the columns of the key, in their order
 * @param variables exact names of the variables, and of windows if rows have times
 * @param found name of a last column that says whether the key of each row is in the table
 * @param listener is told how many keys are not in the table
 */
public record KeyedGatherCall(
    Gather how,
    List<String> keyColumns,
    List<String> variables,
    Optional<String> found,
    MissingKeyListener listener) {
  public KeyedGatherCall {
    keyColumns = List.copyOf(keyColumns);
    variables = List.copyOf(variables);
  }
}
