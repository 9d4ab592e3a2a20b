/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.AnalysisErrors;
import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.tensor.SparkNdException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.TableFunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.SparkStrategy;
import scala.Function1;
import scala.Tuple3;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction1;

/** Registers all table functions with Spark. */
public final class TableFunctions {
  /** Shared instances, so that registering twice in one session has no further effect. */
  private static final List<
          Tuple3<FunctionIdentifier, ExpressionInfo, Function1<Seq<Expression>, LogicalPlan>>>
      REGISTERED = all().stream().map(TableFunctions::registered).toList();

  private TableFunctions() {}

  private static Tuple3<FunctionIdentifier, ExpressionInfo, Function1<Seq<Expression>, LogicalPlan>>
      registered(TableFunction function) {
    return new Tuple3<>(
        new FunctionIdentifier(function.name()), info(function), new Builder(function));
  }

  static List<TableFunction> all() {
    List<TableFunction> all = new ArrayList<>();
    all.add(new GatherFunction());
    all.add(new GatherAsOfFunction());
    all.add(new ScatterFunction());
    all.addAll(TensorScatterFunction.all());
    return all;
  }

  /** Registers the functions, their strategy and their rules with {@code extensions}. */
  public static void register(SparkSessionExtensions extensions) {
    extensions.injectResolutionRule(new Checks());
    extensions.injectPlanNormalizationRule(new Refreshes());
    extensions.injectPlannerStrategy(new Strategies());
    extensions.injectOptimizerRule(new Rules(TensorIndexColumns::new));
    extensions.injectOptimizerRule(new Rules(GatherPushdown::new));
    extensions.injectOptimizerRule(new Rules(UnusedColumns::new));
    extensions.injectPreCBORule(new Rules(ScatterPushdown::new));
    extensions.injectPreCBORule(new Rules(JoinKeyPushdown::new));
    REGISTERED.forEach(extensions::injectTableFunction);
    REGISTERED.forEach(TableFunctions::addToBuiltins);
  }

  /**
   * Adds a function to those that Spark considers its own. Any other function of an extension is
   * temporary to Spark, which refuses it in persistent views and SQL functions.
   */
  private static void addToBuiltins(
      Tuple3<FunctionIdentifier, ExpressionInfo, Function1<Seq<Expression>, LogicalPlan>>
          function) {
    var builtin = TableFunctionRegistry.builtin();
    if (!builtin.functionExists(function._1())) {
      builtin.registerFunction(function._1(), function._2(), function._3());
    }
  }

  /**
   * Returns the text of a table function for the description of a scalar function of its name;
   * empty if there is no such table function.
   */
  public static Optional<String> note(String name) {
    return all().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .map(TableFunctions::note);
  }

  private static String note(TableFunction function) {
    String signature = function.name() + "(" + signature(function) + ")";
    return "\n    FROM "
        + signature
        + " is a table function: "
        + function.usage()
        + arguments(function)
        + "      Example: "
        + function.example()
        + "\n  ";
  }

  private static final class Strategies extends AbstractFunction1<SparkSession, SparkStrategy> {
    @Override
    public SparkStrategy apply(SparkSession session) {
      return new TensorStrategy();
    }
  }

  private static final class Checks extends AbstractFunction1<SparkSession, Rule<LogicalPlan>> {
    @Override
    public Rule<LogicalPlan> apply(SparkSession session) {
      return new CorrelatedCallCheck();
    }
  }

  private static final class Refreshes extends AbstractFunction1<SparkSession, Rule<LogicalPlan>> {
    @Override
    public Rule<LogicalPlan> apply(SparkSession session) {
      return new RefreshedTables(session);
    }
  }

  private static final class Rules extends AbstractFunction1<SparkSession, Rule<LogicalPlan>> {
    private final Supplier<Rule<LogicalPlan>> rule;

    Rules(Supplier<Rule<LogicalPlan>> rule) {
      this.rule = rule;
    }

    @Override
    public Rule<LogicalPlan> apply(SparkSession session) {
      return rule.get();
    }
  }

  /** Builds the logical plan of a call during analysis. */
  private static final class Builder extends AbstractFunction1<Seq<Expression>, LogicalPlan> {
    private final TableFunction function;

    Builder(TableFunction function) {
      this.function = function;
    }

    @Override
    public LogicalPlan apply(Seq<Expression> given) {
      List<Expression> arguments = ScalaSeqs.list(given);
      try {
        LogicalPlan query =
            function.query(FunctionArguments.of(function.name(), function.parameters(), arguments));
        return SessionVariables.kept(query, arguments);
      } catch (SparkNdException e) {
        throw AnalysisErrors.of(e);
      }
    }
  }

  private static ExpressionInfo info(TableFunction function) {
    return new ExpressionInfo(
        function.getClass().getName(),
        null,
        function.name(),
        "_FUNC_(" + signature(function) + ") - " + function.usage(),
        arguments(function),
        "\n    Examples:\n      > " + function.example() + ";\n  ",
        "",
        "table_funcs",
        "0.1.0",
        "",
        "built-in");
  }

  private static String signature(TableFunction function) {
    return function.parameters().stream()
        .map(
            parameter ->
                parameter.kind() == FunctionParameter.Kind.TABLE
                    ? "TABLE(" + parameter.name() + ")"
                    : "[" + parameter.name() + "]")
        .collect(Collectors.joining(", "));
  }

  private static String arguments(TableFunction function) {
    return function.parameters().stream()
        .map(parameter -> "      * " + parameter.name() + " - " + parameter.meaning() + "\n")
        .collect(Collectors.joining("", "\n    Arguments:\n", "  "));
  }
}
