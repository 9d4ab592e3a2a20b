/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

/**
 * The result of one peer in one run.
 *
 * @param name the name of the peer, with the operator that it used
 * @param role how the result is compared
 * @param samples the peer's times
 */
public record PeerResult(String name, Role role, Samples samples) {

  /** The remark on a wrong result. */
  static final String WRONG_ANSWER = " (WRONG ANSWER)";

  /** How a result is compared. */
  public enum Role {
    /** This project. */
    OURS,
    /** A peer with a correct result. */
    CORRECT,
    /** A peer with a correct result that is shown but not compared. */
    OTHER,
    /** A peer with a wrong result; shown but not compared. */
    WRONG,
    /** Other work, such as copying memory; shown but not compared. */
    YARDSTICK,
    /** Other work that every peer has to do at least; shown as a bound of the ratio. */
    FLOOR
  }

  /** Returns the name, with a remark if the result is not compared. */
  public String label() {
    return switch (role) {
      case OURS, CORRECT, OTHER -> name;
      case WRONG -> name + WRONG_ANSWER;
      case YARDSTICK, FLOOR -> name + " (other work)";
    };
  }
}
