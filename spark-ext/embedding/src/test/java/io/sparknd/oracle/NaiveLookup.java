/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.oracle;

import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.op.BadIndices;
import io.sparknd.op.NegativeIndices;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * A reference for lookups, one element at a time. float32 operations are computed in double and
 * rounded. The bits are those of float32, because more than twice its digits suffice for sums,
 * products, quotients and roots.
 */
public final class NaiveLookup {
  private final Tensor params;
  private final Lookup how;
  private final int width;

  public NaiveLookup(Tensor params, Lookup how) {
    this.params = params;
    this.how = how;
    this.width = (int) params.shape().from(1).elements();
  }

  /** The error for an id that must be rejected. */
  public static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int list;
    private final int position;
    private final long id;

    Refused(int list, int position, long id) {
      super("id " + id + " at " + position + " of list " + list);
      this.list = list;
      this.position = position;
      this.id = id;
    }

    /** Returns the number of the list. */
    public int list() {
      return list;
    }

    /** Returns the position of the id in its list. */
    public int position() {
      return position;
    }

    public long id() {
      return id;
    }
  }

  /**
   * Runs the lookup.
   *
   * @param weights as many as ids in each list; null for ones
   */
  public Tensor run(List<long[]> ids, List<double[]> weights) {
    List<Object> elements = new ArrayList<>();
    for (int list = 0; list < ids.size(); list++) {
      for (int element = 0; element < width; element++) {
        double[] ones = null;
        double[] weight = weights == null ? ones : weights.get(list);
        elements.add(combined(list, ids.get(list), weight, element));
      }
    }
    return tensor(Shape.of(ids.size()).concat(params.shape().from(1)), elements);
  }

  private double combined(int list, long[] ids, double[] weights, int element) {
    Double sum = null;
    double divisor = 0;
    for (int i = 0; i < ids.length; i++) {
      Long row = row(list, i, ids[i]);
      if (row == null && !(how.indices().bad() instanceof BadIndices.Fill)) {
        continue;
      }
      double weight = weights == null ? 1 : round(weights[i]);
      double product = round(value(row, element) * weight);
      sum = sum == null ? product : Double.valueOf(round(sum + product));
      divisor =
          switch (how.combiner()) {
            case SUM -> 1;
            case MEAN -> round(divisor + weight);
            case SQRTN -> round(divisor + round(weight * weight));
          };
    }
    divisor =
        how.combiner() == io.sparknd.embedding.lookup.Combiner.SQRTN
            ? round(Math.sqrt(divisor))
            : divisor;
    return sum == null || divisor == 0 ? 0 : toDType(round(sum / divisor));
  }

  /** Returns the row of an id; null if the id is ignored. */
  private Long row(int list, int position, long id) {
    long rows = params.shape().dim(0);
    if (id < 0 && how.indices().negative() == NegativeIndices.ERROR) {
      throw new Refused(list, position, id);
    }
    long row = id < 0 && how.indices().negative() == NegativeIndices.WRAP ? id + rows : id;
    boolean isIn = 0 <= row && row < rows;
    if (!isIn && how.indices().bad() instanceof BadIndices.Clip && rows > 0) {
      return row < 0 ? 0 : rows - 1;
    }
    boolean drops =
        how.indices().bad() instanceof BadIndices.Ignore
            || how.indices().bad() instanceof BadIndices.Fill;
    if (!isIn && !drops) {
      throw new Refused(list, position, id);
    }
    return isIn ? row : null;
  }

  private double value(Long row, int element) {
    double value = stored(row, element);
    double limit = round(how.maxNorm());
    if (Double.isInfinite(limit)) {
      return value;
    }
    double squares = 0;
    for (int i = 0; i < width; i++) {
      squares = round(squares + round(stored(row, i) * stored(row, i)));
    }
    double norm = round(Math.sqrt(squares));
    double largest = largest(row);
    if (Double.isInfinite(norm) && Double.isFinite(largest)) {
      return scaled(row, element, largest, limit);
    }
    return norm <= limit ? value : round(round(value * limit) / norm);
  }

  /** Scales a row whose squares overflow, relative to its largest element. */
  private double scaled(Long row, int element, double largest, double limit) {
    double squares = 0;
    for (int i = 0; i < width; i++) {
      squares += stored(row, i) / largest * (stored(row, i) / largest);
    }
    double root = Math.sqrt(squares);
    double value = stored(row, element);
    return largest * root <= limit ? value : round(value / largest * (limit / root));
  }

  private double largest(Long row) {
    double largest = 0;
    for (int i = 0; i < width; i++) {
      largest = Math.max(largest, Math.abs(stored(row, i)));
    }
    return largest;
  }

  private double stored(Long row, int element) {
    if (row == null) {
      Object fill = ((BadIndices.Fill) how.indices().bad()).value();
      return ((Number) Tensor.fill(params.dtype(), Shape.of(1), fill).element(0)).doubleValue();
    }
    return ((Number) params.element((int) (row * width) + element)).doubleValue();
  }

  private double round(double value) {
    return params.dtype() == DType.FLOAT64 ? value : (float) value;
  }

  private double toDType(double value) {
    return switch (params.dtype()) {
      case FLOAT16 -> HalfFloats.fromFloat16(HalfFloats.toFloat16((float) value));
      case BFLOAT16 -> HalfFloats.fromBfloat16(HalfFloats.toBfloat16((float) value));
      default -> value;
    };
  }

  private Tensor tensor(Shape shape, List<Object> elements) {
    Object array = params.dtype().storage().allocate(elements.size());
    for (int i = 0; i < elements.size(); i++) {
      double value = (double) elements.get(i);
      switch (params.dtype()) {
        case FLOAT64 -> ((double[]) array)[i] = value;
        case FLOAT32 -> ((float[]) array)[i] = (float) value;
        case FLOAT16 -> ((short[]) array)[i] = HalfFloats.toFloat16((float) value);
        default -> ((short[]) array)[i] = HalfFloats.toBfloat16((float) value);
      }
    }
    return Tensor.wrap(params.dtype(), shape, array);
  }
}
