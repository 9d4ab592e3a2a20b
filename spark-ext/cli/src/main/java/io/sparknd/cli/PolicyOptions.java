/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import io.sparknd.op.BadIndices;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.OperatorErrors;
import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.ElementText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** Options for indices that are out of bounds or negative. */
final class PolicyOptions {
  private static final String FILL = "fill";

  @Option(
      names = "--bad-indices",
      paramLabel = "WORD",
      defaultValue = "error",
      description =
          "Index tuples out of bounds: error (the call fails), ignore (a scatter drops "
              + "them, a gather returns 0, false or \"\"), clip (clamp to the bounds), fill (a "
              + "gather returns --fill-value). Default: error.",
      converter = BadIndicesConverter.class)
  String bad;

  @Option(
      names = "--negative",
      paramLabel = "error|wrap|oob",
      description =
          "Negative indices: error (the call fails), wrap (count from the end), oob "
              + "(treat as out of bounds). Default: error; with --bad-indices ignore: oob.",
      converter = NegativeConverter.class)
  @Nullable NegativeIndices negative;

  /** Returns the policy of a scatter, which does not support {@code fill}. */
  IndexPolicy policy() {
    if (bad.equals(FILL)) {
      throw OperatorErrors.fillInScatter();
    }
    return of(BadIndices.named(bad));
  }

  /**
   * Returns the policy of a gather.
   *
   * @param value the fill value as written by the user; null for none
   */
  IndexPolicy policy(DType dtype, String value) {
    if (bad.equals(FILL) != (value != null)) {
      throw SqlErrors.fillNeedsValue(bad);
    }
    BadIndices policy =
        value == null ? BadIndices.named(bad) : BadIndices.fill(ElementText.parse(dtype, value));
    return of(policy);
  }

  private IndexPolicy of(BadIndices policy) {
    return negative == null
        ? IndexPolicy.STRICT.withBad(policy)
        : new IndexPolicy(policy, negative);
  }

  /** Checks that the word names a policy and returns it. */
  static final class BadIndicesConverter implements ITypeConverter<String> {
    @Override
    public String convert(String word) throws Exception {
      return word.equals(FILL)
          ? word
          : OptionConverters.of(BadIndices::named).convert(word).toString();
    }
  }

  static final class NegativeConverter implements ITypeConverter<NegativeIndices> {
    @Override
    public NegativeIndices convert(String word) throws Exception {
      return OptionConverters.of(NegativeIndices::named).convert(word);
    }
  }
}
