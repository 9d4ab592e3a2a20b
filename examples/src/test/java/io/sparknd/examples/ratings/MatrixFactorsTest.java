/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.ratings;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.examples.support.GradientCheck;
import io.sparknd.examples.support.LocalTrainer;
import io.sparknd.examples.support.TrainedRows;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class MatrixFactorsTest {
  private static final int TRAINING = 20_000;
  private static final float MEAN = 3.5f;

  private final PlantedRatings planted = new PlantedRatings(200, 100, 3, 0.3, 1);

  @Test
  void theGradientIsThatOfTheLoss() {
    Ratings ratings =
        new Ratings(new int[] {0, 1, 0}, new int[] {2, 2, 0}, new float[] {1, -0.5f, 2});
    GradientCheck.check(new MatrixFactors(0.5f, 0.1f), ratings, 3);
  }

  @Test
  void usersAndItemsWithTheSameIdHaveRowsOfTheirOwn() {
    Ratings ratings = new Ratings(new int[] {7, 0}, new int[] {7, 3}, new float[2]);
    assertThat(new MatrixFactors(0, 0).ids(ratings)).containsExactly(14, 15, 0, 7);
  }

  @Test
  void ratingsVaryAsPlanted() {
    double squares = 0;
    for (float rating : ratings(0, TRAINING).values()) {
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

  private Ratings ratings(long first, int count) {
    return Ratings.of(LongStream.range(first, first + count).mapToObj(planted::rating).toList());
  }

  private static double rmse(TrainedRows rows, Ratings ratings) {
    double squares = 0;
    for (int i = 0; i < ratings.count(); i++) {
      int user = 2 * ratings.users()[i];
      int item = 2 * ratings.items()[i] + 1;
      double u = rows.values()[user * rows.dim()];
      double v = rows.values()[item * rows.dim()];
      double predicted = MEAN + u + v + rows.dot(user, item) - u * v;
      squares += Math.pow(predicted - ratings.values()[i], 2);
    }
    return Math.sqrt(squares / ratings.count());
  }
}
