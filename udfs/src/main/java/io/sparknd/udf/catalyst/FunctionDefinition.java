/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.cluster.spark.AnalysisErrors;
import io.sparknd.cluster.spark.ConstantValue;
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
 * @param usage what {@code DESCRIBE FUNCTION} says
 * @param arguments a line for each, as {@code name - what it is}
 * @param examples statements without {@code SELECT}, each with its result in the next place
 * @param binding makes the call
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
   * The call with these arguments, named ones among them; an {@code AnalysisException} where they
   * do not go together.
   */
  Expression bind(Seq<Expression> given) {
    UdfArguments arguments = arranged(given);
    try {
      return binding.apply(arguments);
    } catch (SparkNdException e) {
      throw AnalysisErrors.of(e);
    }
  }

  /** The arguments, in the order of the parameters. */
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
        CollectionConverters.asJava(values).stream().map(ConstantValue::plain).toList());
  }

  /** As Spark shows it, which asks for these margins. */
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
        "",
        "",
        SINCE,
        "",
        "scala_udf");
  }
}
