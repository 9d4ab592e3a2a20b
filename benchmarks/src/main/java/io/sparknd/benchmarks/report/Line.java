/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;

/**
 * One line of a report.
 *
 * @param name the name of the benchmark: its short name, a colon, and the description
 * @param threads the threads that each side may use
 * @param ours our median
 * @param peer the median of the best correct peer in the same run
 * @param peerName the name of that peer
 * @param ratio {@code ours / peer}
 * @param goal the highest ratio that meets the goal
 * @param unit the unit of {@code ours} and {@code peer}
 * @param spread see {@link Samples#spreadOfRatio}
 * @param processor the model of the processor, without the maker's marks; empty if an old report
 *     does not name it
 * @param floor the median of work that every peer has to do at least, in the same run; 0 if none
 *     was measured
 */
public record Line(
    String name,
    int threads,
    double ours,
    double peer,
    @JsonProperty("peer_name") String peerName,
    double ratio,
    double goal,
    String unit,
    double spread,
    String processor,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) double floor) {

  public Line {
    processor = Objects.requireNonNullElse(processor, "");
  }

  /** Returns the part of the name before the colon. */
  String shortName() {
    return name.substring(0, name.indexOf(':'));
  }

  /** Returns the part of the name after the colon. */
  String description() {
    return name.substring(name.indexOf(':') + 1).strip();
  }

  /** Whether {@code other} has the same short name, threads and, if both are known, processor. */
  boolean isSameWork(Line other) {
    return shortName().equals(other.shortName())
        && threads == other.threads
        && (processor.equals(other.processor) || processor.isEmpty() || other.processor.isEmpty());
  }

  /** Whether the unit is one of time. */
  boolean isTime() {
    return unit.equals("ms") || unit.startsWith("ns");
  }

  /** Whether work was measured that every peer has to do at least. */
  boolean hasFloor() {
    return floor > 0;
  }

  /** The ratio below which no peer comes that does this work. */
  double bound() {
    return floor / peer;
  }

  /** Whether the ratio meets the goal. */
  boolean met() {
    return ratio <= goal;
  }
}
