/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import io.sparknd.udf.catalyst.RowCall;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.encoders.ExpressionEncoder;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractPartialFunction;

/**
 * Replaces calls of scalar functions by calls that the RAPIDS Accelerator supports, if it is
 * active. Applies to nested arrays of numbers and booleans; calls with strings, decimals, binary
 * values or structs stay on the CPU.
 */
final class CallsForRapids extends Rule<LogicalPlan> {
  private static final String PLUGIN = "com.nvidia.spark.SQLPlugin";
  private static final String ENABLED = "spark.rapids.sql.enabled";
  private final SparkSession session;

  CallsForRapids(SparkSession session) {
    this.session = session;
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return hasRapids() ? plan.transformAllExpressions(new Calls()) : plan;
  }

  private boolean hasRapids() {
    String plugins = session.conf().get("spark.plugins", "");
    return Stream.of(plugins.split(",")).map(String::trim).anyMatch(PLUGIN::equals)
        && Boolean.parseBoolean(session.conf().get(ENABLED, "true"));
  }

  private static final class Calls extends AbstractPartialFunction<Expression, Expression> {
    @Override
    public boolean isDefinedAt(Expression expression) {
      return expression instanceof RowCall call
          && CudfTypes.has(call.dataType())
          && call.arguments().stream().map(Expression::dataType).allMatch(CudfTypes::has);
    }

    @Override
    public Expression apply(Expression expression) {
      return udf((RowCall) expression);
    }
  }

  private static ScalaUDF udf(RowCall call) {
    List<Expression> arguments = call.arguments();
    List<Option<ExpressionEncoder<?>>> encoders =
        arguments.stream().map(argument -> AsTheyAre.encoder(argument.dataType())).toList();
    return new ScalaUDF(
        GpuFunction.of(call.function()),
        call.dataType(),
        CollectionConverters.asScala(arguments).toSeq(),
        CollectionConverters.asScala(encoders).toSeq(),
        AsTheyAre.encoder(call.dataType()),
        Option.apply(call.prettyName()),
        call.nullable(),
        true);
  }
}
