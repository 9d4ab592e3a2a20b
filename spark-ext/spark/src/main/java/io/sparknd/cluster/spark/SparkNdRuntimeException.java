/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.spark;

import io.sparknd.tensor.SparkNdException;
import java.util.Map;
import org.apache.spark.QueryContext;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.catalyst.trees.CurrentOrigin;

/**
 * An error as Spark reads it: handlers of SQL scripts find it by its condition and SQLSTATE, and a
 * job that it fails throws it as it is.
 */
public final class SparkNdRuntimeException extends SparkNdException implements SparkThrowable {
  private static final long serialVersionUID = 1;

  @SuppressWarnings("serial") // Spark's are serializable
  private final QueryContext[] context;

  SparkNdRuntimeException(SparkNdException error, QueryContext... context) {
    super(error);
    this.context = context;
  }

  /**
   * {@code error} with the place in the statement, unless it has one.
   *
   * @param here null where there is no statement
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

  /** {@code error} with the place of the statement that Spark analyses in this thread, if any. */
  public static SparkNdException here(SparkNdException error) {
    return at(CurrentOrigin.get().context(), error);
  }

  @Override
  public String getCondition() {
    return condition();
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

  @Override
  public QueryContext[] getQueryContext() {
    return context.clone();
  }
}
