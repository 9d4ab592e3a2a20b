/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sparknd.LocalSpark;
import io.sparknd.tensor.SparkNdException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Tests metrics against models that compare all pairs and all orders. */
class EvaluationMetricTest {
  private static final StructType SCHEMA =
      new StructType()
          .add("query", DataTypes.IntegerType)
          .add("label", DataTypes.BooleanType)
          .add("score", DataTypes.DoubleType);
  private static final int K = 3;

  private final SparkSession spark = LocalSpark.session();

  private record Prediction(int query, boolean label, double score) {
    double target() {
      return label ? 1 : 0;
    }
  }

  /** Scores in [0, 1]; many are tied. */
  private static List<Prediction> drawn(Random random) {
    List<Prediction> drawn = new ArrayList<>();
    drawn.add(new Prediction(0, true, 0.5));
    drawn.add(new Prediction(0, false, -0.0));
    int count = random.nextInt(60);
    int levels = 1 + random.nextInt(12);
    for (int i = 0; i < count; i++) {
      double score = random.nextInt(levels) / (double) levels;
      drawn.add(new Prediction(random.nextInt(8), random.nextInt(3) == 0, score));
    }
    return drawn;
  }

  private Dataset<Row> dataset(List<Prediction> predictions, int partitions) {
    List<Row> rows =
        predictions.stream()
            .map(one -> RowFactory.create(one.query(), one.label(), one.score()))
            .toList();
    return spark.createDataFrame(rows, SCHEMA).repartition(partitions);
  }

  @Property(tries = 8, shrinking = ShrinkingMode.OFF)
  @Tag("slow")
  void metricsAreThoseOfTheModelsInManyTries(@ForAll long seed) {
    metricsAreThoseOfTheModels(seed);
  }

  @Property(tries = 1, shrinking = ShrinkingMode.OFF)
  void metricsAreThoseOfTheModels(@ForAll long seed) {
    Random random = new Random(seed);
    List<Prediction> all = drawn(random);
    Map<EvaluationMetric, Double> models =
        Map.of(
            EvaluationMetric.auc(), auc(all),
            EvaluationMetric.logLoss(), logLoss(all),
            EvaluationMetric.rmse(), rmse(all),
            EvaluationMetric.recallAt(K), recall(all));
    List<Prediction> shuffled = new ArrayList<>(all);
    Collections.shuffle(shuffled, random);
    models.forEach(
        (metric, expected) -> {
          double value = metric.of(dataset(all, 1));
          assertThat(value).as(metric.name()).isCloseTo(expected, within(1e-12));
          assertThat(metric.of(dataset(shuffled, 1 + random.nextInt(5))))
              .as(metric.name())
              .isEqualTo(value);
        });
  }

  private static double auc(List<Prediction> all) {
    double ordered = 0;
    double pairs = 0;
    for (Prediction one : all) {
      for (Prediction other : all) {
        if (one.label() && !other.label()) {
          pairs++;
          ordered += one.score() > other.score() ? 1 : one.score() == other.score() ? 0.5 : 0;
        }
      }
    }
    return ordered / pairs;
  }

  private static double logLoss(List<Prediction> all) {
    double least = Math.ulp(1.0);
    return all.stream()
        .mapToDouble(
            one -> {
              double score = Math.min(Math.max(one.score(), least), 1 - least);
              return -Math.log(one.label() ? score : 1 - score);
            })
        .average()
        .orElseThrow();
  }

  private static double rmse(List<Prediction> all) {
    return Math.sqrt(
        all.stream()
            .mapToDouble(one -> Math.pow(one.score() - one.target(), 2))
            .average()
            .orElseThrow());
  }

  private static double recall(List<Prediction> all) {
    return all.stream().collect(Collectors.groupingBy(Prediction::query)).values().stream()
        .filter(query -> query.stream().anyMatch(Prediction::label))
        .mapToDouble(EvaluationMetricTest::recallOfQuery)
        .average()
        .orElseThrow();
  }

  @Example
  void columnsAreFoundAsTheSessionComparesNames() {
    Dataset<Row> predictions =
        spark.sql("SELECT * FROM VALUES (7, 1, 0.9D), (7, 0, 0.1D) AS p(Query, LABEL, Score)");
    assertThat(EvaluationMetric.auc().of(predictions)).isEqualTo(1);
    assertThat(EvaluationMetric.recallAt(1).of(predictions)).isEqualTo(1);
    assertThatThrownBy(() -> EvaluationMetric.rmse().of(predictions.selectExpr("*", "1 AS score")))
        .hasMessageContaining("column 'score' is ambiguous among [Query, LABEL, Score, score]");
  }

  /** Each relevant item counts with the probability that it is among the best in a random order. */
  private static double recallOfQuery(List<Prediction> query) {
    return query.stream()
        .filter(Prediction::label)
        .mapToDouble(
            item -> {
              long above = query.stream().filter(o -> o.score() > item.score()).count();
              long tied = query.stream().filter(o -> o.score() == item.score()).count();
              return Math.min(1, Math.max(0, (double) (K - above) / tied));
            })
        .average()
        .orElseThrow();
  }

  @Example
  void predictionsOutOfBoundsAreRefused() {
    assertRefused(EvaluationMetric.auc(), "2D AS label, 1D AS score", "label 2.0 and score 1.0");
    assertRefused(EvaluationMetric.auc(), "1 AS label, double('NaN') AS score", "score NaN");
    assertRefused(EvaluationMetric.auc(), "1 AS label, 1 AS score", "label 1 and 0 with label 0");
    assertRefused(EvaluationMetric.logLoss(), "1 AS label, 1.5D AS score", "in [0, 1]");
    assertRefused(EvaluationMetric.rmse(), "null::double AS label, 1.5D AS score", "label null");
    assertRefused(EvaluationMetric.rmse(), "1 AS label", "column 'score' is not among [label]");
    assertRefused(EvaluationMetric.rmse(), "'x' AS label, 1 AS score", "'label'", "string");
    EvaluationMetric recall = EvaluationMetric.recallAt(2);
    assertRefused(recall, "1 AS query, 0 AS label, 1 AS score", "no query has a row");
    assertRefused(recall, "null::int AS query, 1 AS label, 1 AS score", "has no query");
    assertThatThrownBy(() -> EvaluationMetric.recallAt(0)).hasMessageContaining("k is 0");
    assertThatThrownBy(() -> EvaluationMetric.rmse().of(dataset(List.of(), 1)))
        .hasMessageContaining("there are none");
  }

  private void assertRefused(EvaluationMetric metric, String columns, String... messages) {
    assertThatThrownBy(() -> metric.of(spark.sql("SELECT " + columns)))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContainingAll(messages);
  }

  @Example
  void nanIsNeverBetter() {
    assertThat(MetricGoal.MAXIMIZE.isBetter(0.5, 0.4, 0.05)).isTrue();
    assertThat(MetricGoal.MAXIMIZE.isBetter(0.5, 0.4, 0.2)).isFalse();
    assertThat(MetricGoal.MINIMIZE.isBetter(0.4, 0.5, 0)).isTrue();
    assertThat(MetricGoal.MINIMIZE.isBetter(0.5, 0.5, 0)).isFalse();
    assertThat(MetricGoal.MINIMIZE.isBetter(Double.NaN, 0.5, 0)).isFalse();
    assertThat(MetricGoal.MINIMIZE.isBetter(0.5, Double.NaN, 0)).isTrue();
  }
}
