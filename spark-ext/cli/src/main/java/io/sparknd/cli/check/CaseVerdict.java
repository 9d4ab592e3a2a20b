/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

/** What became of a case. */
public sealed interface CaseVerdict {
  /** Every engine gave what the case expects. */
  record Passed() implements CaseVerdict {}

  /**
   * @param reason what was expected and what happened
   */
  record Failed(String reason) implements CaseVerdict {}

  /**
   * @param reason why the case was not run
   */
  record Skipped(String reason) implements CaseVerdict {}
}
