/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.training;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.embedding.Loss;
import io.sparknd.embedding.TrainedStep;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

/** Tests the progress bar of a training. */
class TrainingProgressBarTest {

  @Test
  void stepsAndLossAreShown() {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    TrainingProgressBar bar = new TrainingProgressBar(new PrintStream(shown, true, UTF_8));
    bar.stepped(new TrainedStep(6, new Loss(30, 10), 0.1), 8);
    bar.stepped(new TrainedStep(7, new Loss(20, 10), 0.2), 8);
    bar.ended();
    bar.ended();
    assertThat(shown.toString(UTF_8)).contains("training", "8/8 steps", "loss 2.0000");
  }
}
