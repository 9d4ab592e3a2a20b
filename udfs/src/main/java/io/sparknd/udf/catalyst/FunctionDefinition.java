/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.cluster.internal.spark.AnalysisErrors;
import io.sparknd.cluster.internal.spark.ConstantExpressions;
import io.sparknd.sql.internal.plan.TableFunctions;
import io.sparknd.tensor.SparkNdException;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.plans.logical.FunctionSignature;
import org.apache.spark.sql.catalyst.plans.logical.NamedParametersSupport;
import org.apache.spark.sql.internal.SQLConf;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A SQL function.
 *
 * @param parameters those without a default first
 * @param usage text of {@code DESCRIBE FUNCTION}
 * @param arguments one line per argument, as {@code name - description}
 * @param examples statements without {@code SELECT}, each followed by its result
 * @param binding creates the call
 */
record FunctionDefinition(
    String name,
    List<UdfParameter> parameters,
    String usage,
    List<String> arguments,
    List<String> examples,
    Function<UdfArguments, Expression> binding) {
  private static final String SINCE = "0.1.0";

  /**
   * Returns the call with these arguments, which may be named. Throws an {@code AnalysisException}
   * if they do not match.
   */
  Expression bind(Seq<Expression> given) {
    UdfArguments arguments = arranged(given);
    try {
      return binding.apply(arguments);
    } catch (SparkNdException e) {
      throw AnalysisErrors.of(e);
    }
  }

  /** Returns the arguments in the order of the parameters. */
  UdfArguments arranged(Seq<Expression> given) {
    Seq<Expression> values =
        NamedParametersSupport.defaultRearrange(
            new FunctionSignature(
                UdfArguments.seq(parameters.stream().map(UdfParameter::toSpark).toList())),
            given,
            name,
            SQLConf.get().resolver());
    return new UdfArguments(
        parameters,
        CollectionConverters.asJava(values).stream().map(ConstantExpressions::plain).toList());
  }

  /** Returns the description for Spark, with the indentation that Spark requires. */
  ExpressionInfo info() {
    StringBuilder argumentText = new StringBuilder("\n    Arguments:\n");
    arguments.forEach(line -> argumentText.append("      * ").append(line).append('\n'));
    StringBuilder exampleText = new StringBuilder("\n    Examples:\n");
    for (int i = 0; i < examples.size(); i += 2) {
      exampleText.append("      > SELECT ").append(examples.get(i)).append(";\n");
      exampleText.append("       ").append(examples.get(i + 1)).append('\n');
    }
    return new ExpressionInfo(
        RowCall.class.getName(),
        null,
        name,
        usage,
        argumentText.append("  ").toString(),
        exampleText.append("  ").toString(),
        TableFunctions.note(name).orElse(""),
        "",
        SINCE,
        "",
        "scala_udf");
  }
}
