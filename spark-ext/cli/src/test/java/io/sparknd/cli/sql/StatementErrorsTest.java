/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cli.support.StatementFailure;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.TensorErrors;
import java.nio.file.NoSuchFileException;
import org.apache.spark.SparkException;
import org.junit.jupiter.api.Test;

/** Tests what is shown of the error of a statement. */
class StatementErrorsTest {
  private static SparkException wrapped(String message, Throwable cause) {
    return new SparkException(message, cause);
  }

  private static String shown(Throwable error) {
    return StatementErrors.failure(4, 8, error).getMessage();
  }

  @Test
  void errorsWithoutAConditionHaveTheirClass() {
    assertThat(shown(new NullPointerException()))
        .isEqualTo("statement 4 of 8: java.lang.NullPointerException");
    assertThat(shown(wrapped("Job aborted due to stage failure", new NoSuchFileException("/x"))))
        .isEqualTo("statement 4 of 8: java.nio.file.NoSuchFileException: /x");
    assertThat(shown(wrapped("Job aborted: executor 3 lost", null)))
        .isEqualTo(
            "statement 4 of 8: org.apache.spark.SparkException: Job aborted: executor 3 lost");
    assertThat(shown(SparkException.internalError("a bug")))
        .startsWith("statement 4 of 8: org.apache.spark.SparkException: [INTERNAL_ERROR] a bug");
    assertThat(StatementErrors.failure(1, 1, new IllegalStateException("x")))
        .isInstanceOf(StatementFailure.class)
        .hasMessage("java.lang.IllegalStateException: x");
  }

  @Test
  void conditionsAreFoundAmongTheCauses() {
    SparkNdException own = TensorErrors.tooManyElements(new long[] {Long.MAX_VALUE, 9});
    assertThat(StatementErrors.failure(4, 8, wrapped("Exception thrown in awaitResult: ", own)))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("statement 4 of 8: [SPARKND_TOO_LARGE.TOO_MANY_ELEMENTS] shape [");
  }
}
