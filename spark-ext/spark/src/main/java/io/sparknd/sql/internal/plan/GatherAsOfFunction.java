/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.options.AsOf;
import io.sparknd.op.Gather;
import io.sparknd.sql.internal.SqlErrors;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/**
 * The SQL function {@code gather_nd_as_of}: the gather of a feature table, or of a tensor table, as
 * it was.
 */
record GatherAsOfFunction() implements TableFunction {
  private static final String AT = "at";
  private static final String CLOCK = "clock";
  private static final String EXPIRED = "expired";
  private static final String BAD_INDICES = "bad_indices";
  private static final String INDEX_COLUMNS = "index_columns";
  private static final String VALUE_COLUMNS = "value_columns";

  private static final List<FunctionParameter> PARAMETERS =
      List.of(
          FunctionParameter.table("params", "a feature table, or a tensor table"),
          FunctionParameter.table(
              "indices",
              "rows with a key, or an index, and a time; other columns are passed through"),
          FunctionParameter.constant(
              AT, "the column of indices with the time of each row: a timestamp or a date"),
          FunctionParameter.constant(
              CLOCK,
              "'commit' (default): the time of commits; 'valid': the time that batches declare; "
                  + "'none': the latest state, of which only windows end at the time"),
          FunctionParameter.constant(
              EXPIRED,
              "rows of a time whose snapshot has expired, or for which tiles of a window were "
                  + "evicted: 'error' (default), or 'null' for NULL"),
          FunctionParameter.constant(
              BAD_INDICES,
              "policy for keys that are NULL or out of bounds: 'error' (default), 'ignore'"),
          FunctionParameter.constant(
              INDEX_COLUMNS, "key columns of indices; default: the columns with the key's names"),
          FunctionParameter.constant(
              VALUE_COLUMNS, "variables and windows of params; default: all of them"),
          CommonParameters.FOUND);

  @Override
  public String name() {
    return "gather_nd_as_of";
  }

  @Override
  public List<FunctionParameter> parameters() {
    return PARAMETERS;
  }

  @Override
  public String usage() {
    return "The rows of indices, each with a column for each variable of params: its value at the "
        + "row's key, as of the row's time.";
  }

  @Override
  public String example() {
    return "SELECT * FROM gather_nd_as_of("
        + "TABLE(lake.shop.users), "
        + "TABLE(SELECT * FROM VALUES ('u1', TIMESTAMP'2026-05-01 12:00:00') AS t(user, seen)), "
        + "at => 'seen')";
  }

  @Override
  public LogicalPlan query(FunctionArguments arguments) {
    Gather how = new Gather(CommonParameters.indices(arguments, Optional.empty()));
    return TensorPlans.gatherAsOf(
        arguments.table("params"),
        arguments.table("indices"),
        CommonParameters.options(arguments),
        GatherArguments.of(how)
            .withValueColumns(arguments.columns(VALUE_COLUMNS).orElse(List.of()))
            .withFound(arguments.word(CommonParameters.FOUND.name()))
            .at(asOf(arguments)));
  }

  private AsOf asOf(FunctionArguments arguments) {
    String at = arguments.word(AT).orElseThrow(() -> SqlErrors.timeColumnMissing(name(), AT));
    AsOf.Clock clock = arguments.word(CLOCK).map(AsOf.Clock::named).orElse(AsOf.Clock.COMMIT_TIME);
    AsOf.Expired expired =
        arguments.word(EXPIRED).map(AsOf.Expired::named).orElse(AsOf.Expired.ERROR);
    return new AsOf(at, clock, expired);
  }
}
