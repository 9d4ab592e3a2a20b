/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sparknd.cli.check.CaseFolder;
import io.sparknd.cli.check.CaseVerdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The verdicts of one {@code sparknd check}, in the order of the case folders. */
final class CheckResults {
  private final List<CaseResult> cases = new ArrayList<>();
  private double seconds;

  /** The verdict on a case, as {@code sparknd check} names it. */
  enum Result {
    PASSED,
    FAILED,
    SKIPPED
  }

  /**
   * One case as JSON.
   *
   * @param name path of its folder below the directory that was searched
   * @param result {@code passed}, {@code failed} or {@code skipped}
   * @param reason why it failed or was skipped; left out if it passed
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record CaseResult(String name, String result, @Nullable String reason) {}

  /** What {@code sparknd check --json} prints. */
  record Json(long passed, long failed, long skipped, double seconds, List<CaseResult> cases) {}

  /** Adds a verdict, and returns the text about it; empty if the case passed. */
  String add(CaseFolder folder, CaseVerdict verdict) {
    String name = folder.name();
    if (verdict instanceof CaseVerdict.Failed failure) {
      cases.add(new CaseResult(name, word(Result.FAILED), failure.reason()));
      return "FAILED " + name + "\n" + failure.reason().indent(2).stripTrailing();
    }
    if (verdict instanceof CaseVerdict.Skipped skip) {
      cases.add(new CaseResult(name, word(Result.SKIPPED), skip.reason()));
      return "skipped " + name + ": " + skip.reason();
    }
    cases.add(new CaseResult(name, word(Result.PASSED), null));
    return "";
  }

  void took(double elapsed) {
    seconds = elapsed;
  }

  long count(Result result) {
    return cases.stream().filter(each -> each.result().equals(word(result))).count();
  }

  /** Returns the text after the verdicts. */
  String summary() {
    return count(Result.PASSED)
        + " passed, "
        + count(Result.FAILED)
        + " failed, "
        + count(Result.SKIPPED)
        + " skipped";
  }

  Json json() {
    return new Json(
        count(Result.PASSED),
        count(Result.FAILED),
        count(Result.SKIPPED),
        seconds,
        List.copyOf(cases));
  }

  private static String word(Result result) {
    return result.name().toLowerCase(Locale.ROOT);
  }
}
