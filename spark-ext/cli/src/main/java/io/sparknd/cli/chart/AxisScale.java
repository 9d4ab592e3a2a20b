/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.chart;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Maps the numbers of a chart's axis to coordinates.
 *
 * @param least number at coordinate {@code start}
 * @param most number at coordinate {@code end}
 */
public record AxisScale(double least, double most, double start, double end) {
  /** The most ticks of an axis. */
  private static final int TICKS = 8;

  /** Space beside the numbers, as a part of their range. */
  private static final double MARGIN = 0.03;

  /** Exponents of ten that are written in full. */
  private static final int PLAIN = 6;

  /** Beyond it, differences of numbers overflow. */
  private static final double LARGEST = Double.MAX_VALUE / 4;

  /** Creates a scale with all {@code numbers} that {@link #isDrawn}. */
  public static AxisScale of(Collection<Double> numbers, double start, double end) {
    double least = Double.POSITIVE_INFINITY;
    double most = Double.NEGATIVE_INFINITY;
    for (double number : numbers) {
      if (isDrawn(number)) {
        least = Math.min(least, number);
        most = Math.max(most, number);
      }
    }
    if (least > most) {
      return new AxisScale(0, 1, start, end);
    }
    double range = most - least;
    double margin = range < Double.MIN_NORMAL ? Math.max(1, Math.abs(least)) / 2 : range * MARGIN;
    return new AxisScale(least - margin, most + margin, start, end);
  }

  /** Whether a number has a place on an axis: NaN and infinity have none. */
  public static boolean isDrawn(double number) {
    return Math.abs(number) <= LARGEST;
  }

  /** Returns the coordinate of a number. */
  public double at(double number) {
    return start + (number - least) / (most - least) * (end - start);
  }

  /** Returns round numbers on the axis, in ascending order. */
  public List<BigDecimal> ticks() {
    double distance = (most - least) / TICKS;
    int exponent = (int) Math.floor(Math.log10(distance));
    double digits = distance / Math.pow(10, exponent);
    int digit = digits <= 2 ? 2 : digits <= 5 ? 5 : 10;
    BigDecimal step = BigDecimal.valueOf(digit).scaleByPowerOfTen(exponent);
    long first = (long) Math.ceil(least / step.doubleValue());
    long last = (long) Math.floor(most / step.doubleValue());
    return LongStream.rangeClosed(first, last)
        .mapToObj(i -> step.multiply(BigDecimal.valueOf(i)))
        .toList();
  }

  /** Returns the text of a tick. */
  public static String text(BigDecimal tick) {
    BigDecimal number = tick.signum() == 0 ? BigDecimal.ZERO : tick.stripTrailingZeros();
    return Math.abs(number.scale()) > PLAIN ? number.toString() : number.toPlainString();
  }
}
