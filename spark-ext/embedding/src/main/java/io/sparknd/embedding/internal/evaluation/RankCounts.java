/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.evaluation;

import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.embedding.internal.TrainingErrors;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Counts of pairs of a positive and a negative prediction in a range of scores. Not a record, since
 * tasks return it, and Kryo cannot read records.
 */
public final class RankCounts implements Serializable {
  private static final long serialVersionUID = 1;
  private static final RankCounts NONE = new RankCounts(0, 0, BigInteger.ZERO);

  private final long positives;
  private final long negatives;

  /** Twice the pairs whose positive has the higher score, plus the tied pairs. */
  private final BigInteger twiceOrdered;

  private RankCounts(long positives, long negatives, BigInteger twiceOrdered) {
    this.positives = positives;
    this.negatives = negatives;
    this.twiceOrdered = twiceOrdered;
  }

  /** Counts the pairs of {@code predictions}, which Spark sorts by score. */
  public static RankCounts of(Dataset<Row> predictions) {
    Dataset<Row> sorted =
        predictions
            .select(
                PredictionColumns.number(predictions, PredictionColumns.LABEL),
                PredictionColumns.number(predictions, PredictionColumns.SCORE))
            .groupBy(PredictionColumns.LABEL, PredictionColumns.SCORE)
            .count()
            .orderBy(PredictionColumns.SCORE);
    try {
      return sorted
          .javaRDD()
          .mapPartitions(rows -> List.of(ofSorted(rows)).iterator())
          .collect()
          .stream()
          .reduce(NONE, RankCounts::then);
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
  }

  /** Counts rows of label, score and count. Equal scores are in one partition. */
  private static RankCounts ofSorted(Iterator<Row> rows) {
    RankCounts below = NONE;
    RankCounts tied = NONE;
    double score = Double.NaN;
    while (rows.hasNext()) {
      Row row = rows.next();
      boolean isPositive = PredictionColumns.isPositive(row, 0, 1);
      if (row.getDouble(1) != score) {
        below = below.then(tied);
        tied = NONE;
        score = row.getDouble(1);
      }
      tied = tied.tiedWith(isPositive ? row.getLong(2) : 0, isPositive ? 0 : row.getLong(2));
    }
    return below.then(tied);
  }

  /** Adds predictions with the score of these, which all have one. */
  private RankCounts tiedWith(long morePositives, long moreNegatives) {
    long allPositives = positives + morePositives;
    long allNegatives = negatives + moreNegatives;
    return new RankCounts(allPositives, allNegatives, pairs(allPositives, allNegatives));
  }

  /** Adds predictions with higher scores. */
  private RankCounts then(RankCounts higher) {
    return new RankCounts(
        positives + higher.positives,
        negatives + higher.negatives,
        twiceOrdered.add(higher.twiceOrdered).add(pairs(higher.positives, negatives).shiftLeft(1)));
  }

  private static BigInteger pairs(long some, long others) {
    return BigInteger.valueOf(some).multiply(BigInteger.valueOf(others));
  }

  /** Returns the share of ordered pairs. */
  public double area() {
    if (positives == 0 || negatives == 0) {
      throw TrainingErrors.undefinedAuc(positives, negatives);
    }
    BigDecimal twicePairs = new BigDecimal(pairs(positives, negatives).shiftLeft(1));
    return new BigDecimal(twiceOrdered).divide(twicePairs, MathContext.DECIMAL128).doubleValue();
  }
}
