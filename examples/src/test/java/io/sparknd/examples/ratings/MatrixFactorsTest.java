/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.ratings;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.examples.support.GradientCheck;
import io.sparknd.examples.support.LocalTrainer;
import io.sparknd.examples.support.Rmse;
import java.util.List;
import org.junit.jupiter.api.Test;

class MatrixFactorsTest {
  private static final int TRAINING = 20_000;

  private final PlantedRatings planted = new PlantedRatings(200, 100, 3, 0.3, 1);

  @Test
  void theGradientIsThatOfTheLoss() {
    Ratings ratings =
        new Ratings(new int[] {0, 1, 0}, new int[] {2, 2, 0}, new float[] {1, -0.5f, 2});
    GradientCheck.check(new MatrixFactors(2, 0.1f), ratings, 3);
  }

  @Test
  void ratingsAreTheSameHoweverTheyAreRead() {
    Ratings ratings = planted.ratings(10, 5);
    assertThat(planted.ratings(12, 1).values()[0]).isEqualTo(ratings.values()[2]);
    assertThat(planted.ratings(12, 1).items()[0]).isEqualTo(ratings.items()[2]);
  }

  @Test
  void ratingsVaryAsPlanted() {
    float[] values = planted.ratings(0, TRAINING).values();
    double[] zeros = new double[values.length];
    assertThat(Rmse.of(zeros, doubles(values))).isBetween(0.85, 1.25);
  }

  @Test
  void itLearnsWhatIsPlantedDownToTheNoise() {
    int batch = 500;
    MatrixFactors factors = new MatrixFactors(planted.users(), 0.01f);
    LocalTrainer trainer = new LocalTrainer(300, 3, 0.3);
    List<Double> losses =
        trainer.train(
            factors, (step, shard) -> planted.ratings(step * batch % TRAINING, batch), 800);
    assertThat(losses.get(799)).isLessThan(losses.get(0) / 3);
    Ratings later = planted.ratings(TRAINING, 2_000);
    double rmse = Rmse.of(factors.predictions(trainer.rows(), later), doubles(later.values()));
    assertThat(rmse).isBetween(0.3, 0.36);
  }

  private static double[] doubles(float[] values) {
    double[] doubles = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      doubles[i] = values[i];
    }
    return doubles;
  }
}
