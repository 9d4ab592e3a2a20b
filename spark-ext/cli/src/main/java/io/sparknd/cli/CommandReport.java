/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.io.PrintWriter;
import java.util.Locale;

/** Prints the steps of a command. */
final class CommandReport {
  private final PrintWriter out;
  private long last = System.nanoTime();

  CommandReport(PrintWriter out) {
    this.out = out;
  }

  void line(String name, Object value) {
    out.println(String.format("%-8s %s", name, value));
    out.flush();
  }

  void tensor(String name, Tensor tensor) {
    line(name, text(tensor.dtype(), tensor.shape()));
  }

  static String text(DType dtype, Shape shape) {
    return dtype.toString() + shape;
  }

  /** Prints a line with the seconds since the last timed line, or since the start. */
  void timed(String name, Object value) {
    long now = System.nanoTime();
    line(name, String.format(Locale.ROOT, "%s (%.2f s)", value, (now - last) / 1e9));
    last = now;
  }
}
