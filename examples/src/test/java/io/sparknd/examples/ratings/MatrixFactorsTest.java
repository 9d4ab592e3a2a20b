/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.ratings;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.embedding.feed.FeatureBatch;
import io.sparknd.examples.support.GradientCheck;
import io.sparknd.examples.support.LocalTrainer;
import io.sparknd.examples.support.TrainedRows;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

class MatrixFactorsTest {
  private static final int TRAINING = 20_000;
  private static final float MEAN = 3.5f;

  private final PlantedRatings planted = new PlantedRatings(200, 100, 3, 0.3, 1);

  @Test
  void theGradientIsThatOfTheLoss() {
    FeatureBatch ratings =
        batch(new float[] {1, -0.5f, 2}, new int[] {0, 1, 0}, new int[] {2, 2, 0});
    GradientCheck.check(new MatrixFactors(0.5f, 0.1f), ratings, 3);
  }

  @Test
  void ratingsVaryAsPlanted() {
    double squares = 0;
    for (float rating : ratings(0, TRAINING).labels()) {
      squares += Math.pow(rating - MEAN, 2);
    }
    assertThat(Math.sqrt(squares / TRAINING)).isBetween(0.85, 1.25);
  }

  @Test
  void itLearnsWhatIsPlantedDownToTheNoise() {
    int batch = 500;
    MatrixFactors factors = new MatrixFactors(MEAN, 0.01f);
    LocalTrainer trainer = new LocalTrainer(400, 4, 0.3);
    List<Double> losses =
        trainer.train(factors, (step, shard) -> ratings(step * batch % TRAINING, batch), 800);
    assertThat(losses.get(799)).isLessThan(losses.get(0) / 3);
    assertThat(rmse(trainer.rows(), ratings(TRAINING, 2_000))).isBetween(0.3, 0.36);
  }

  private FeatureBatch ratings(long first, int count) {
    List<Row> rows = LongStream.range(first, first + count).mapToObj(planted::rating).toList();
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = rows.get(i).getFloat(2);
    }
    return batch(values, column(rows, 0), column(rows, 1));
  }

  private static int[] column(List<Row> rows, int column) {
    return rows.stream().mapToInt(row -> row.getInt(column)).toArray();
  }

  /** User {@code u} has row {@code 2u}, item {@code i} has row {@code 2i + 1}. */
  private static FeatureBatch batch(float[] values, int[] users, int[] items) {
    long[] ids = new long[2 * values.length];
    for (int i = 0; i < values.length; i++) {
      ids[2 * i] = 2L * users[i];
      ids[2 * i + 1] = 2L * items[i] + 1;
    }
    return new FeatureBatch(values.length, values, new float[0], 2, ids, new int[0][]);
  }

  private static double rmse(TrainedRows rows, FeatureBatch ratings) {
    double squares = 0;
    for (int i = 0; i < ratings.rows(); i++) {
      int user = (int) ratings.ids()[2 * i];
      int item = (int) ratings.ids()[2 * i + 1];
      double u = rows.values()[user * rows.dim()];
      double v = rows.values()[item * rows.dim()];
      double predicted = MEAN + u + v + rows.dot(user, item) - u * v;
      squares += Math.pow(predicted - ratings.labels()[i], 2);
    }
    return Math.sqrt(squares / ratings.rows());
  }
}
