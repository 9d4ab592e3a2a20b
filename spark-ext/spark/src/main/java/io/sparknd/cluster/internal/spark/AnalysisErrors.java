/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import io.sparknd.tensor.SparkNdException;
import org.apache.spark.QueryContext;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.catalyst.trees.CurrentOrigin;
import org.apache.spark.sql.catalyst.trees.Origin;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.collection.immutable.Map;
import scala.collection.immutable.Map$;

/**
 * Converts errors to Spark's {@code AnalysisException}, which carries the position in the
 * statement.
 */
public final class AnalysisErrors {
  private AnalysisErrors() {}

  /**
   * Throws {@code problem} as an {@code AnalysisException}, which Java takes for a checked
   * exception and Scala does not; declared to return, so that callers can {@code throw} it.
   */
  public static RuntimeException of(SparkNdException problem) {
    Origin here = CurrentOrigin.get();
    return SneakyThrow.thrown(new StatementError(problem, here));
  }

  /**
   * An error with its own SQLSTATE: Spark knows none for conditions of other projects, and handlers
   * in scripts need one to match. As in Spark's own messages, the condition precedes the text.
   */
  private static final class StatementError extends AnalysisException {
    private static final long serialVersionUID = 1;

    private final SparkNdException problem;

    StatementError(SparkNdException problem, Origin at) {
      super(
          "[" + problem.condition() + "] " + problem.getMessage(),
          at.line(),
          at.startPosition(),
          Option.apply(problem),
          Option.apply(problem.condition()),
          parameters(problem),
          at.context() == null ? new QueryContext[0] : new QueryContext[] {at.context()});
      this.problem = problem;
    }

    @Override
    public AnalysisException withPosition(Origin at) {
      return new StatementError(problem, at);
    }

    /** Returns the condition; null for clients of Spark Connect that would look it up. */
    @Override
    public @Nullable String getCondition() {
      return ClientErrors.condition(problem.condition());
    }

    @Override
    public String getSqlState() {
      return problem.sqlState();
    }

    @Override
    public String getDefaultMessageTemplate() {
      return problem.messageTemplate();
    }

    /** Returns the position in the statement; empty for classic PySpark. */
    @Override
    public QueryContext[] getQueryContext() {
      return ClientErrors.context(super.getQueryContext());
    }
  }

  @SuppressWarnings("unchecked") // of a Scala method without Java's generics
  private static Map<String, String> parameters(SparkNdException problem) {
    Map<String, String> all = Map$.MODULE$.empty();
    for (java.util.Map.Entry<String, String> each : problem.parameters().entrySet()) {
      all = all.updated(each.getKey(), each.getValue());
    }
    return all;
  }
}
