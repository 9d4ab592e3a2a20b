/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.evaluation;

import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.embedding.internal.TrainingErrors;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.jspecify.annotations.Nullable;

/**
 * Computes the recall of the queries of one partition. It reads counts of query, label and score,
 * sorted by query and then by descending score, and keeps counters of one query.
 */
public final class QueryRecall {
  private final ExactMean mean = new ExactMean();
  private final int k;
  private @Nullable Object query;
  private double score;
  private long tied;
  private long tiedRelevant;
  private long left;
  private long relevant;
  private double found;

  private QueryRecall(int k) {
    this.k = k;
  }

  /** Returns the mean recall of the queries that have relevant items. */
  public static double of(Dataset<Row> predictions, int k) {
    Dataset<Row> sorted =
        predictions
            .select(
                PredictionColumns.query(predictions),
                PredictionColumns.number(predictions, PredictionColumns.LABEL),
                PredictionColumns.number(predictions, PredictionColumns.SCORE))
            .groupBy(PredictionColumns.QUERY, PredictionColumns.LABEL, PredictionColumns.SCORE)
            .count()
            .repartition(functions.col(PredictionColumns.QUERY))
            .sortWithinPartitions(
                functions.col(PredictionColumns.QUERY),
                functions.col(PredictionColumns.SCORE).desc());
    ExactMean mean;
    try {
      mean =
          sorted
              .javaRDD()
              .mapPartitions(rows -> List.of(new QueryRecall(k).read(rows)).iterator())
              .collect()
              .stream()
              .reduce(new ExactMean(), ExactMean::and);
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
    if (mean.count() == 0) {
      throw TrainingErrors.noPredictions("no query has a row with label 1");
    }
    return mean.mean();
  }

  private ExactMean read(Iterator<Row> rows) {
    while (rows.hasNext()) {
      Row row = rows.next();
      boolean isRelevant = PredictionColumns.isPositive(row, 1, 2);
      if (row.isNullAt(0)) {
        throw TrainingErrors.nullQuery();
      }
      if (!Objects.equals(row.get(0), query)) {
        endQuery();
        query = row.get(0);
        left = k;
      } else if (row.getDouble(2) != score) {
        endTies();
      }
      score = row.getDouble(2);
      tied += row.getLong(3);
      tiedRelevant += isRelevant ? row.getLong(3) : 0;
    }
    endQuery();
    return mean;
  }

  /** Counts the relevant items of one score; if not all fit, as many as on average. */
  private void endTies() {
    long taken = Math.min(left, tied);
    if (taken > 0) {
      found += tiedRelevant * ((double) taken / tied);
    }
    left -= taken;
    relevant += tiedRelevant;
    tied = 0;
    tiedRelevant = 0;
  }

  private void endQuery() {
    endTies();
    if (relevant > 0) {
      mean.add(found / relevant);
    }
    relevant = 0;
    found = 0;
  }
}
