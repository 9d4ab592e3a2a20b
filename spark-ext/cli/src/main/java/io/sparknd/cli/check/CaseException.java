/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

import org.jspecify.annotations.Nullable;

/**
 * The reason why a case cannot run. It is not a {@link io.sparknd.tensor.SparkNdException}, because
 * a case may expect one from the call.
 */
final class CaseException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient CaseVerdict verdict;

  private CaseException(CaseVerdict verdict, String reason) {
    super(reason);
    this.verdict = verdict;
  }

  /** The folder does not follow the format; the case fails. */
  static CaseException malformed(String reason, @Nullable Object... values) {
    String text = "the case is malformed: " + String.format(reason, values);
    return new CaseException(new CaseVerdict.Failed(text), text);
  }

  /** The case needs an unknown feature; it is skipped. */
  static CaseException unsupported(String reason, @Nullable Object... values) {
    String text = String.format(reason, values);
    return new CaseException(new CaseVerdict.Skipped(text), text);
  }

  CaseVerdict verdict() {
    return verdict;
  }
}
