/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import io.sparknd.tensor.SparkNdException;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.QueryContext;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.catalyst.trees.CurrentOrigin;
import org.jspecify.annotations.Nullable;

/**
 * An error in Spark's form: handlers of SQL scripts find it by its condition and SQLSTATE, and a
 * job that fails with it throws it unchanged.
 */
public class SparkNdRuntimeException extends SparkNdException implements SparkThrowable {
  private static final long serialVersionUID = 1;

  @SuppressWarnings("serial") // Spark's contexts are serializable
  private final QueryContext[] context;

  /** Copies {@code error}, for a subclass that callers catch by its type. */
  protected SparkNdRuntimeException(SparkNdException error) {
    this(error, new QueryContext[0]);
  }

  SparkNdRuntimeException(SparkNdException error, QueryContext... context) {
    super(error);
    this.context = context;
  }

  /**
   * Returns {@code error} with its position in the statement, unless it has one.
   *
   * @param here the position; null outside a statement
   */
  public static SparkNdException at(QueryContext here, SparkNdException error) {
    boolean has = error instanceof SparkNdRuntimeException placed && placed.context.length > 0;
    if (has || here == null || here.fragment().isEmpty()) {
      return error;
    }
    SparkNdRuntimeException placed = new SparkNdRuntimeException(error, here);
    placed.setStackTrace(error.getStackTrace());
    for (Throwable other : error.getSuppressed()) {
      placed.addSuppressed(other);
    }
    return placed;
  }

  /**
   * Returns {@code error} with its position in the statement that Spark analyzes in this thread, if
   * any.
   */
  public static SparkNdException here(SparkNdException error) {
    return at(CurrentOrigin.get().context(), error);
  }

  /** Returns the message; after the condition for clients of Spark Connect. */
  @Override
  public String getMessage() {
    return ClientErrors.message(condition(), Objects.requireNonNull(super.getMessage()));
  }

  /** Returns the condition; null for clients of Spark Connect that would look it up. */
  @Override
  public @Nullable String getCondition() {
    return ClientErrors.condition(condition());
  }

  @Override
  public String getSqlState() {
    return sqlState();
  }

  @Override
  public Map<String, String> getMessageParameters() {
    return parameters();
  }

  @Override
  public String getDefaultMessageTemplate() {
    return messageTemplate();
  }

  /** Returns the positions in the statement; empty for classic PySpark. */
  @Override
  public QueryContext[] getQueryContext() {
    return ClientErrors.context(context);
  }
}
