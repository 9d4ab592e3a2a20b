/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

/**
 * Why a case cannot be run. Not a {@link io.sparknd.tensor.SparkNdException}, which a case may
 * expect from the call.
 */
final class CaseProblem extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient CaseVerdict verdict;

  private CaseProblem(CaseVerdict verdict, String reason) {
    super(reason);
    this.verdict = verdict;
  }

  /** The folder is not what the format asks for: the case fails. */
  static CaseProblem malformed(String reason, Object... values) {
    String text = "the case is malformed: " + String.format(reason, values);
    return new CaseProblem(new CaseVerdict.Failed(text), text);
  }

  /** The case asks for something that is not known here: it is skipped. */
  static CaseProblem unsupported(String reason, Object... values) {
    String text = String.format(reason, values);
    return new CaseProblem(new CaseVerdict.Skipped(text), text);
  }

  CaseVerdict verdict() {
    return verdict;
  }
}
