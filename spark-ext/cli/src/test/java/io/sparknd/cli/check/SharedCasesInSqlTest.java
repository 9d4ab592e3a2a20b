/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sparknd.sql.SqlCalls;
import io.sparknd.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests table functions on the worked examples of the TensorFlow and ONNX documents. */
@Tag("slow")
class SharedCasesInSqlTest {
  private static final SqlCalls SQL = SqlCalls.plain();

  static List<CaseFolder> cases() {
    return SharedCasesTest.cases();
  }

  /** The other cases index by axis, have no index table, or fail before there are rows. */
  @Test
  void atLeastTwentyFourCasesAreSupported() {
    assertThat(cases().stream().filter(folder -> query(OperatorCase.read(folder)).isPresent()))
        .hasSizeGreaterThanOrEqualTo(24);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void casePassesInSql(CaseFolder folder) {
    OperatorCase source = OperatorCase.read(folder);
    Optional<Supplier<Tensor>> query = query(source);
    assumeThat(query).isPresent();
    CaseOutcome outcome = CaseOutcome.of(query.orElseThrow());
    assertThat(expectation(source).difference(outcome)).isEmpty();
  }

  /**
   * Drops positions in {@code indices} from the expected message, because SQL errors name the index
   * and not a position.
   */
  private static ExpectedOutcome expectation(OperatorCase source) {
    ExpectedOutcome expectation = ExpectedOutcome.of(source);
    return expectation instanceof ExpectedOutcome.ExpectedError error
        ? new ExpectedOutcome.ExpectedError(
            error.mustName().stream().filter(part -> !part.startsWith("indices[")).toList())
        : expectation;
  }

  private static Optional<Supplier<Tensor>> query(OperatorCase source) {
    CaseCall call;
    try {
      call = CaseOperators.call(source);
    } catch (io.sparknd.tensor.SparkNdException e) {
      return Optional.empty();
    }
    if (call instanceof CaseCall.ScatterInto scatter && SqlCalls.isOffered(scatter.call())) {
      return Optional.of(() -> SQL.scatter(scatter.data(), scatter.call()));
    }
    if (call instanceof CaseCall.ScatterIntoZeros scatter
        && SqlCalls.isOfferedIntoZeros(scatter.call())) {
      return Optional.of(() -> SQL.scatterIntoZeros(scatter.shape(), scatter.call()));
    }
    if (call instanceof CaseCall.GatherFrom gather && SqlCalls.isOffered(gather.call())) {
      return Optional.of(() -> SQL.gather(gather.data(), gather.call()));
    }
    return Optional.empty();
  }
}
