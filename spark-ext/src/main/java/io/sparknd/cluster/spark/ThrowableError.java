/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.spark;

import io.sparknd.tensor.SparkNdException;
import java.util.Map;
import org.apache.spark.QueryContext;
import org.apache.spark.SparkThrowable;

/**
 * An error as Spark reads it: handlers of SQL scripts find it by its condition and SQLSTATE, and a
 * job that it fails throws it as it is.
 */
public final class ThrowableError extends SparkNdException implements SparkThrowable {
  private static final long serialVersionUID = 1;

  ThrowableError(SparkNdException error) {
    super(error);
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
    return new QueryContext[0];
  }
}
