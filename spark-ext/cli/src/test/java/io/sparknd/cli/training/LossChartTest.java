/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.embedding.Loss;
import io.sparknd.embedding.Trained;
import io.sparknd.embedding.TrainedStep;
import io.sparknd.embedding.ValidatedStep;
import io.sparknd.embedding.evaluation.MetricGoal;
import io.sparknd.embedding.evaluation.MetricValue;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the SVG chart of training losses. */
class LossChartTest {
  private static final Trained TRAINED =
      new Trained(
          null,
          List.of(
              new TrainedStep(0, new Loss(30, 10), 0.1), new TrainedStep(1, new Loss(20, 10), 0.2)),
          0.2);

  @TempDir private Path directory;

  @Test
  void lossesAreDrawnAsSvg() {
    Path svg = directory.resolve("loss.svg");
    LossChart.of(TRAINED).write(svg);
    assertThat(svg).content().contains("<svg", "<path", "</svg>");
  }

  @Test
  void metricsOfValidationsAreDrawnBesideTheLoss() throws IOException {
    Trained validated =
        new Trained(
            null,
            TRAINED.steps(),
            List.of(
                new ValidatedStep(0, List.of(new MetricValue("auc", MetricGoal.MAXIMIZE, 0.7)), 1),
                new ValidatedStep(1, List.of(new MetricValue("auc", MetricGoal.MAXIMIZE, 0.8)), 2)),
            Optional.empty(),
            2);
    Path svg = directory.resolve("validated.svg");
    LossChart.of(validated).write(svg);
    Path plain = directory.resolve("plain.svg");
    LossChart.of(TRAINED).write(plain);
    // text is drawn as paths: axis, legend, line and markers of the metric
    assertThat(paths(svg)).isGreaterThan(paths(plain) + 4);
  }

  private static int paths(Path svg) throws IOException {
    return Files.readString(svg).split("<path", -1).length;
  }

  @Test
  void missingParentFolderIsRejected() {
    LossChart chart = LossChart.of(TRAINED);
    assertThatThrownBy(() -> chart.write(directory.resolve("no/loss.svg")))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("its directory does not exist");
  }
}
