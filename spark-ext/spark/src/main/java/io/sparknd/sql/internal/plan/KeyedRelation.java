/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.cluster.internal.tables.TableQuery;
import io.sparknd.cluster.options.AsOf;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/**
 * A table of variables by keys, at one version, read block by block. Table formats implement it;
 * {@link TensorRelationProvider} finds it in a plan.
 *
 * <p>{@code equals} compares the table, the version and the columns. {@code toString} is the text
 * in plans.
 */
public interface KeyedRelation extends Serializable {

  /** Returns the table's name as SQL writes it, for messages. */
  String table();

  /** Returns the key columns, in their order, with the types of SQL in which keys are given. */
  StructType keys();

  /**
   * Returns the columns that a gather adds.
   *
   * @param named names of variables; all variables if none is named
   * @param session compares names
   * @throws io.sparknd.tensor.SparkNdException if there is no such variable
   */
  StructType variables(List<String> named, ColumnNameMatcher session);

  /**
   * Returns the columns that a gather adds to rows with times: as {@link #variables}, but variables
   * may have windows that end at a time, which have names of their own.
   *
   * @param named as for {@link #variables}
   * @param clock gives the times
   * @param session compares names
   * @throws io.sparknd.tensor.SparkNdException if there is no such variable or window, or the table
   *     has no such clock
   */
  StructType timedVariables(List<String> named, AsOf.Clock clock, ColumnNameMatcher session);

  /**
   * Whether a key may be missing, so that {@link KeyedGatherCall#found} says something: each index
   * of a tensor has a value.
   */
  boolean hasMissingKeys();

  /**
   * Returns the rows, each with the values of variables at its key in more columns. A key that was
   * never written has fill values.
   *
   * @throws io.sparknd.tensor.SparkNdException if the call does not allow a key
   */
  TableQuery gather(Dataset<Row> rows, KeyedGatherCall call);

  /**
   * Returns the rows, each with the values of variables at its key and its time in more columns. A
   * key that had not been written then has fill values.
   *
   * @param asOf names the column of {@code rows} with their times
   * @throws io.sparknd.tensor.SparkNdException if the call does not allow a key, or {@code asOf} a
   *     time
   */
  TableQuery gatherAsOf(Dataset<Row> rows, KeyedGatherCall call, AsOf asOf);
}
