/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

/**
 * What one peer did in one run.
 *
 * @param name of the peer, with the operator that it used
 * @param role what the figure counts as
 * @param samples its times
 */
public record PeerResult(String name, Role role, Samples samples) {

  /** What a figure counts as. */
  public enum Role {
    /** This project. */
    OURS,
    /** Gave the right answer. */
    CORRECT,
    /** Gave the right answer, and is shown; another is compared with. */
    OTHER,
    /** Gave a wrong answer: shown, never compared with. */
    WRONG,
    /** Does other work, such as copying memory: shown, never compared with. */
    YARDSTICK
  }

  /** The name, with a remark where the figure does not count. */
  public String label() {
    return switch (role) {
      case OURS, CORRECT, OTHER -> name;
      case WRONG -> name + " (WRONG ANSWER)";
      case YARDSTICK -> name + " (other work)";
    };
  }
}
