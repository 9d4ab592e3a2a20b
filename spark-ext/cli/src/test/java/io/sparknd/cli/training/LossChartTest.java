/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.embedding.Loss;
import io.sparknd.embedding.TrainedEmbedding;
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
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/** Tests the SVG chart of training losses. */
class LossChartTest {
  private static final TrainedEmbedding TRAINED =
      new TrainedEmbedding(
          null,
          List.of(
              new TrainedStep(0, new Loss(30, 10), 0.1), new TrainedStep(1, new Loss(20, 10), 0.2)),
          0.2);

  @TempDir private Path directory;

  @Test
  void lossesAreDrawnAsSvg() {
    Path svg = directory.resolve("loss.svg");
    LossChart.of(TRAINED).write(svg);
    assertThat(svg)
        .content()
        .contains("<svg", "<path", ">step</text>", ">2 steps, 10.0 per second</text>", "</svg>");
  }

  @Test
  void metricsOfValidationsAreDrawnBesideTheLoss() throws IOException {
    TrainedEmbedding validated =
        new TrainedEmbedding(
            null,
            TRAINED.steps(),
            List.of(
                new ValidatedStep(
                    0, List.of(new MetricValue("a < b", MetricGoal.MAXIMIZE, 0.7)), 1),
                new ValidatedStep(
                    1, List.of(new MetricValue("a < b", MetricGoal.MAXIMIZE, 0.8)), 2)),
            Optional.empty(),
            2);
    Path svg = directory.resolve("validated.svg");
    LossChart.of(validated).write(svg);
    String text = Files.readString(svg);
    assertThat(text.split("<path", -1)).hasSize(3);
    // those of the metric, and of the legend
    assertThat(text.split("<circle", -1)).hasSize(1 + 2 + 2);
    assertThat(text).contains(">metrics</text>", ">a &lt; b</text>");
  }

  @Test
  void aLossThatIsNoNumberInterruptsTheLine() throws Exception {
    double[] losses = {1, 2, Double.NaN, 3, Double.POSITIVE_INFINITY, 4};
    List<TrainedStep> steps =
        IntStream.range(0, losses.length)
            .mapToObj(i -> new TrainedStep(i, new Loss(losses[i], 1), 0.1))
            .toList();
    Path svg = directory.resolve("loss.svg");
    LossChart.of(new TrainedEmbedding(null, steps, 1)).write(svg);

    Document read = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(svg.toFile());
    assertThat(read.getElementsByTagName("path").getLength()).isEqualTo(3);
    assertThat(Files.readString(svg)).doesNotContain("NaN", "Infinity");
  }

  @Test
  void missingParentFolderIsRejected() {
    LossChart chart = LossChart.of(TRAINED);
    assertThatThrownBy(() -> chart.write(directory.resolve("no/loss.svg")))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("its directory does not exist");
  }
}
