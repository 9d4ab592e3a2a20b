/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import io.sparknd.examples.support.Logistic;
import io.sparknd.examples.support.SeededDraws;
import io.sparknd.examples.support.WeightedChoice;
import java.io.Serializable;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * A generated click log with a known model. An example has one value per field; popular values are
 * more frequent. The click probability is given by a factorisation machine, whose ranking is
 * optimal. Features are numbered from 0, field after field.
 */
public final class ClickLog implements Serializable {
  private static final StructType TYPE =
      StructType.fromDDL(
          "position BIGINT NOT NULL, label INT NOT NULL,"
              + " features ARRAY<BIGINT> NOT NULL, truth DOUBLE NOT NULL");

  private static final double POPULARITY = 1.05;
  private static final double LINEAR = 0.4;
  private static final double FACTOR = 0.35;
  private static final float BIAS = -2;

  private final long seed;
  private final int[] firsts;
  private final WeightedChoice[] values;
  private final int dim;
  private final float[] planted;

  /**
   * @param sizes the number of values, which are the features, of each field
   * @param factors factors per feature
   */
  public ClickLog(int[] sizes, int factors, long seed) {
    this.seed = seed;
    this.firsts = new int[sizes.length];
    for (int field = 1; field < sizes.length; field++) {
      firsts[field] = firsts[field - 1] + sizes[field - 1];
    }
    this.values =
        Arrays.stream(sizes)
            .mapToObj(size -> WeightedChoice.zipf(size, POPULARITY))
            .toArray(WeightedChoice[]::new);
    this.dim = 1 + factors;
    this.planted = planted(IntStream.of(sizes).sum() + 1, dim, SeededDraws.of(seed, 0));
  }

  private static float[] planted(int rows, int dim, SplittableRandom random) {
    float[] planted = new float[rows * dim];
    for (int i = 0; i < planted.length; i++) {
      planted[i] = (float) (random.nextGaussian() * (i % dim == 0 ? LINEAR : FACTOR));
    }
    planted[(rows - 1) * dim] = BIAS;
    return planted;
  }

  /** The number of features of all fields. */
  public int features() {
    return planted.length / dim - 1;
  }

  /**
   * Generates {@code count} examples: {@code position}, {@code label}, {@code features}, and {@code
   * truth}, the probability of the label 1.
   */
  public Dataset<Row> examples(SparkSession spark, long count) {
    Broadcast<ClickLog> shared =
        JavaSparkContext.fromSparkContext(spark.sparkContext()).broadcast(this);
    return spark.createDataFrame(
        spark.range(count).as(Encoders.LONG()).javaRDD().map(i -> shared.value().example(i)), TYPE);
  }

  /**
   * One example.
   *
   * @param truth the probability of a click by the true model
   */
  private record Drawn(long[] features, double truth, boolean isClicked) {}

  private Drawn drawn(long position) {
    SplittableRandom random = SeededDraws.of(seed, 1, position);
    long[] features = draw(random);
    double truth = probability(features);
    return new Drawn(features, truth, random.nextDouble() < truth);
  }

  private Row example(long position) {
    Drawn drawn = drawn(position);
    int label = drawn.isClicked() ? 1 : 0;
    return RowFactory.create(position, label, drawn.features(), drawn.truth());
  }

  /** Generates examples from number {@code first} on. */
  public Clicks clicks(long first, int count) {
    int fields = values.length;
    Clicks clicks = new Clicks(new long[count * fields], new boolean[count], fields);
    for (int i = 0; i < count; i++) {
      Drawn drawn = drawn(first + i);
      System.arraycopy(drawn.features(), 0, clicks.features(), i * fields, fields);
      clicks.clicked()[i] = drawn.isClicked();
    }
    return clicks;
  }

  private long[] draw(SplittableRandom random) {
    return IntStream.range(0, values.length)
        .mapToLong(field -> firsts[field] + values[field].draw(random))
        .toArray();
  }

  /** Returns the probability of a click by the true model. */
  public double probability(long[] features) {
    FmExample example = new FmExample(planted, dim, features.length);
    example.read(field -> (int) features[field], planted.length - dim);
    return Logistic.probability(example.score());
  }
}
