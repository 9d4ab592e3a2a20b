/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.evaluation;

import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.embedding.internal.TrainingErrors;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** The mean of an error of each prediction. */
public enum ErrorMean {
  CROSS_ENTROPY {
    @Override
    double error(Row row) {
      boolean isProbability = !row.isNullAt(1) && row.getDouble(1) >= 0 && row.getDouble(1) <= 1;
      if (!isProbability || !PredictionColumns.isBinary(row, 0)) {
        throw bad(row, "for log_loss, labels must be 0 or 1, and scores in [0, 1]");
      }
      double score = Math.min(Math.max(row.getDouble(1), LEAST), 1 - LEAST);
      // the same bits on every CPU
      return -StrictMath.log(row.getDouble(0) == 1 ? score : 1 - score);
    }
  },
  SQUARED_ERROR {
    @Override
    double error(Row row) {
      if (!isFinite(row, 0) || !isFinite(row, 1)) {
        throw bad(row, "for rmse, labels and scores must be finite");
      }
      double difference = row.getDouble(1) - row.getDouble(0);
      return difference * difference;
    }
  };

  private static final double LEAST = Math.ulp(1.0);

  /** Returns the error of a row of label and score. */
  abstract double error(Row row);

  private static boolean isFinite(Row row, int column) {
    return !row.isNullAt(column) && Double.isFinite(row.getDouble(column));
  }

  private static RuntimeException bad(Row row, String bounds) {
    return TrainingErrors.badPrediction(
        String.valueOf(row.get(0)), String.valueOf(row.get(1)), bounds);
  }

  /** Returns the mean error. */
  public double of(Dataset<Row> predictions) {
    Dataset<Row> pairs =
        predictions.select(
            PredictionColumns.number(predictions, PredictionColumns.LABEL),
            PredictionColumns.number(predictions, PredictionColumns.SCORE));
    ExactMean mean;
    try {
      mean =
          pairs.javaRDD().mapPartitions(rows -> List.of(mean(rows)).iterator()).collect().stream()
              .reduce(new ExactMean(), ExactMean::and);
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
    if (mean.count() == 0) {
      throw TrainingErrors.noPredictions("there are none");
    }
    return mean.mean();
  }

  private ExactMean mean(Iterator<Row> rows) {
    ExactMean mean = new ExactMean();
    rows.forEachRemaining(row -> mean.add(error(row)));
    return mean;
  }
}
