/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.plans.logical.InputParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import scala.Option;

/**
 * A parameter of a function.
 *
 * @param defaultValue null if the argument is required
 */
record UdfParameter(String name, Expression defaultValue) {

  static UdfParameter required(String name) {
    return new UdfParameter(name, null);
  }

  static UdfParameter string(String name, String defaultValue) {
    return new UdfParameter(
        name, Literal.create(UTF8String.fromString(defaultValue), DataTypes.StringType));
  }

  static UdfParameter flag(String name, boolean defaultValue) {
    return new UdfParameter(name, Literal.create(defaultValue, DataTypes.BooleanType));
  }

  static UdfParameter integer(String name, int defaultValue) {
    return new UdfParameter(name, Literal.create(defaultValue, DataTypes.IntegerType));
  }

  /** Returns a parameter whose default is NULL. */
  static UdfParameter optional(String name) {
    return new UdfParameter(name, Literal.create(null, DataTypes.NullType));
  }

  InputParameter toSpark() {
    return new InputParameter(name, Option.apply(defaultValue));
  }
}
