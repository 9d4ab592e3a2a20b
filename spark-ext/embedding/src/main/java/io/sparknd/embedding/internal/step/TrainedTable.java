/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.embedding.internal.ModelErrors;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.rows.RowDirectory;
import io.sparknd.embedding.internal.rows.RowLayout;
import io.sparknd.embedding.internal.rows.RowReader;
import io.sparknd.embedding.optimizer.BadGradients;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.tensor.SparkNdException;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What the tasks of a training need to know of one table.
 *
 * @param label names the table in errors, such as "table 'users'"; empty if it is trained alone
 * @param dense names of the parameters in the rows; null unless it is the table of parameters
 */
public record TrainedTable(
    String label,
    RowLayout layout,
    RowDirectory directory,
    Optimizer optimizer,
    BadGradients badGradients,
    @Nullable ParameterNames dense)
    implements Serializable {

  /** Returns a reader of the weights of a partition. */
  public RowReader reader(EmbeddingPartition partition) {
    return new RowReader(partition, layout, directory);
  }

  /** Returns an error of a gradient or a weight with the name of the table or the parameter. */
  SparkNdException labelled(SparkNdException error) {
    return label.isEmpty() ? error : ModelErrors.numberInModel(place(error), error);
  }

  private String place(SparkNdException error) {
    String row = error.parameters().get("id");
    return dense == null || row == null
        ? label
        : "parameter '" + dense.name(Long.parseLong(row)) + "'";
  }

  /**
   * Checks an id.
   *
   * @param position position of the id among those that the mini-batch requests
   */
  void check(long id, int position, long step) {
    try {
      directory.check(id, position, step);
    } catch (SparkNdException e) {
      throw label.isEmpty() ? e : ModelErrors.idInModel(label, e);
    }
  }

  /** Checks the gradients of a shard's part of a mini-batch, if bad ones are errors. */
  void checkGradients(long step, int shard, MiniBatchRows rows) {
    if (!(badGradients instanceof BadGradients.Rejected)) {
      return;
    }
    for (int slot = 0; slot < rows.count(); slot++) {
      if (!BadGradients.isFinite(rows.gradients(), slot * layout.dim(), layout.dim())) {
        throw badGradient(step, shard, rows.ids()[slot]);
      }
    }
  }

  private SparkNdException badGradient(long step, int shard, long id) {
    return dense == null
        ? labelled(EmbeddingErrors.badGradient(step, shard, id))
        : ModelErrors.badParameterGradient(step, shard, dense.name(id));
  }
}
