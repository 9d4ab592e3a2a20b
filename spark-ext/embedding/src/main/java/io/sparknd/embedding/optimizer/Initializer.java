/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.sparknd.embedding.internal.EmbeddingErrors;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/**
 * Generates the values of rows before their first update. Each element depends only on the seed,
 * the id of its row and its position in the row. Any row can therefore be generated on any machine,
 * at any time, in any order. Elements are computed in double and rounded to float32.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Initializer.Constant.class, name = "constant"),
  @JsonSubTypes.Type(value = Initializer.Uniform.class, name = "uniform"),
  @JsonSubTypes.Type(value = Initializer.Normal.class, name = "normal"),
  @JsonSubTypes.Type(value = Initializer.TruncatedNormal.class, name = "truncatedNormal"),
  @JsonSubTypes.Type(value = Initializer.ByRow.class, name = "byRow")
})
public sealed interface Initializer extends Serializable {

  static Initializer zeros() {
    return constant(0);
  }

  /** Returns an initializer with one value for all elements, finite in float32. */
  static Initializer constant(double value) {
    return new Constant(value);
  }

  /**
   * Returns a uniform distribution between {@code low} and {@code high}. {@code low} must be less
   * than {@code high}; both must be finite in float32.
   */
  static Initializer uniform(double low, double high, long seed) {
    return new Uniform(low, high, seed);
  }

  /**
   * Returns a normal distribution.
   *
   * @param mean finite in float32
   * @param stddev standard deviation, above 0
   */
  static Initializer normal(double mean, double stddev, long seed) {
    return new Normal(mean, stddev, seed);
  }

  /**
   * Returns a normal distribution truncated at two standard deviations from the mean. Values beyond
   * are drawn again, as in Keras' {@code TruncatedNormal}.
   *
   * @param mean finite in float32
   * @param stddev standard deviation before truncation, above 0
   */
  static Initializer truncatedNormal(double mean, double stddev, long seed) {
    return new TruncatedNormal(mean, stddev, seed);
  }

  /**
   * Returns PyTorch's {@code kaiming_uniform_} for layers before a ReLU: uniform within {@code
   * sqrt(6 / fanIn)} of 0 (He et al., 2015).
   *
   * @param fanIn inputs of the layer, at least 1
   */
  static Initializer kaimingUniform(int fanIn, long seed) {
    OptimizerBounds.positive("fanIn", fanIn);
    return within(Math.sqrt(6.0 / fanIn), seed);
  }

  /**
   * Returns PyTorch's {@code xavier_uniform_}, Keras' {@code GlorotUniform}: uniform within {@code
   * sqrt(6 / (fanIn + fanOut))} of 0.
   *
   * @param fanIn inputs of the layer, at least 1
   * @param fanOut outputs of the layer, at least 1
   */
  static Initializer xavierUniform(int fanIn, int fanOut, long seed) {
    OptimizerBounds.positive("fanIn", fanIn);
    OptimizerBounds.positive("fanOut", fanOut);
    return within(Math.sqrt(6.0 / ((double) fanIn + fanOut)), seed);
  }

  private static Initializer within(double bound, long seed) {
    return uniform(-bound, bound, seed);
  }

  /**
   * For the engine: generates the {@code dim} elements of row {@code id} in {@code to}, from index
   * {@code at} on.
   */
  void fill(long id, float[] to, int at, int dim);

  /**
   * For the engine: returns the largest magnitude that an element surely can have. Of a normal
   * distribution, which has no bounds, it is the magnitude of the mean.
   */
  double magnitude();

  /** See {@link Initializer#constant}. */
  record Constant(double value) implements Initializer {
    public Constant {
      OptimizerBounds.finite("value", value);
    }

    @Override
    public double magnitude() {
      return Math.abs(value);
    }

    @Override
    public void fill(long id, float[] to, int at, int dim) {
      Arrays.fill(to, at, at + dim, (float) value);
    }
  }

  /** See {@link Initializer#uniform}. */
  record Uniform(double low, double high, long seed) implements Initializer {
    public Uniform {
      OptimizerBounds.finite("low", low);
      OptimizerBounds.finite("high", high);
      if (low >= high) {
        throw EmbeddingErrors.emptyRange(low, high);
      }
    }

    @Override
    public double magnitude() {
      return Math.max(Math.abs(low), Math.abs(high));
    }

    @Override
    public void fill(long id, float[] to, int at, int dim) {
      RandomElements draws = new RandomElements(seed, id);
      for (int i = 0; i < dim; i++) {
        draws.element(i);
        to[at + i] = (float) (low + (high - low) * draws.uniform());
      }
    }
  }

  /** See {@link Initializer#normal}. */
  record Normal(double mean, double stddev, long seed) implements Initializer {
    public Normal {
      OptimizerBounds.finite("mean", mean);
      OptimizerBounds.positive("stddev", stddev);
    }

    @Override
    public double magnitude() {
      return Math.abs(mean);
    }

    @Override
    public void fill(long id, float[] to, int at, int dim) {
      RandomElements draws = new RandomElements(seed, id);
      for (int i = 0; i < dim; i++) {
        draws.element(i);
        to[at + i] = (float) (mean + stddev * draws.normal());
      }
    }
  }

  /** See {@link Initializer#truncatedNormal}. */
  record TruncatedNormal(double mean, double stddev, long seed) implements Initializer {
    private static final double MAX = 2;

    public TruncatedNormal {
      OptimizerBounds.finite("mean", mean);
      OptimizerBounds.positive("stddev", stddev);
    }

    @Override
    public double magnitude() {
      return Math.abs(mean) + MAX * stddev;
    }

    @Override
    public void fill(long id, float[] to, int at, int dim) {
      RandomElements draws = new RandomElements(seed, id);
      for (int i = 0; i < dim; i++) {
        draws.element(i);
        to[at + i] = (float) (mean + stddev * near(draws));
      }
    }

    private static double near(RandomElements draws) {
      double drawn = draws.normal();
      while (Math.abs(drawn) > MAX) {
        drawn = draws.normal();
      }
      return drawn;
    }
  }

  /**
   * For the engine: initializers of ranges of rows, in ascending order from row 0 on.
   *
   * @param ranges at least one
   */
  record ByRow(List<Range> ranges) implements Initializer {
    /** Rows from {@code first} on, up to those of the next range. */
    public record Range(long first, Initializer initializer) implements Serializable {}

    public ByRow {
      ranges = List.copyOf(ranges);
    }

    @Override
    public double magnitude() {
      return ranges.stream().mapToDouble(range -> range.initializer().magnitude()).max().orElse(0);
    }

    @Override
    public void fill(long id, float[] to, int at, int dim) {
      Initializer last = ranges.get(0).initializer();
      for (Range range : ranges) {
        if (range.first() > id) {
          break;
        }
        last = range.initializer();
      }
      last.fill(id, to, at, dim);
    }
  }
}
