/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

/** The verdict on a case. */
public sealed interface CaseVerdict {
  /** Every engine returned the expected result. */
  record Passed() implements CaseVerdict {}

  /**
   * The case failed.
   *
   * @param reason expected and actual outcome
   */
  record Failed(String reason) implements CaseVerdict {}

  /**
   * The case was not run.
   *
   * @param reason why it was skipped
   */
  record Skipped(String reason) implements CaseVerdict {}
}
