/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import java.util.Locale;

/**
 * A benchmark in two reports of the same machine. Ratios to the best correct peer are compared,
 * because they hardly depend on the day; where another peer is the best one, our medians are.
 *
 * @param before the line of the earlier report
 * @param after the line of the later report
 */
record LineComparison(Line before, Line after) {
  /** Smaller differences count as none, those of bytes and files too. */
  private static final double LEAST = 0.01;

  /** What the difference says. */
  enum Verdict {
    BETTER,
    WORSE,
    WITHIN_SPREAD,
    /** The spread is not known. */
    MEASURED_ONCE,
    /** Of another size, for example of a quick run. */
    OTHER_WORK
  }

  Verdict verdict() {
    if (!before.name().equals(after.name())) {
      return Verdict.OTHER_WORK;
    }
    if (after.isTime() && (before.spread() == 0 || after.spread() == 0)) {
      return Verdict.MEASURED_ONCE;
    }
    if (Math.abs(change()) <= spread()) {
      return Verdict.WITHIN_SPREAD;
    }
    return change() > 0 ? Verdict.WORSE : Verdict.BETTER;
  }

  /** Whether both were compared with the same peer. */
  boolean hasSamePeer() {
    return before.peerName().equals(after.peerName());
  }

  /** The change as a share of the value before; more is worse. */
  double change() {
    return hasSamePeer() ? after.ratio() / before.ratio() - 1 : after.ours() / before.ours() - 1;
  }

  /** The larger spread of both runs. */
  double spread() {
    return Math.max(LEAST, Math.max(before.spread(), after.spread()));
  }

  /** The verdict in words. */
  String words() {
    String more = after.isTime() ? "slower" : "more";
    String less = after.isTime() ? "faster" : "less";
    String words =
        switch (verdict()) {
          case BETTER -> less;
          case WORSE -> more;
          case WITHIN_SPREAD -> "within the spread";
          case MEASURED_ONCE -> "measured once";
          case OTHER_WORK -> "other work: " + before.description();
        };
    return hasSamePeer() || verdict() == Verdict.OTHER_WORK
        ? words
        : words + "; best peer was " + before.peerName() + ", is " + after.peerName();
  }

  /** The compared value of a line: the ratio, or our median. */
  String value(Line line) {
    return hasSamePeer()
        ? String.format(Locale.ROOT, "%.2f", line.ratio())
        : Median.time(line.ours(), line.unit());
  }
}
