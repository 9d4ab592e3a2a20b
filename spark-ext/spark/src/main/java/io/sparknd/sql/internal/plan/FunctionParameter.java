/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

/**
 * A parameter of a table function.
 *
 * @param kind of argument that it takes
 * @param meaning text shown by {@code DESCRIBE FUNCTION EXTENDED}
 */
record FunctionParameter(String name, Kind kind, String meaning) {
  enum Kind {
    /** A required table or query. */
    TABLE,
    /** An optional constant; NULL is the same as leaving it out. */
    CONSTANT
  }

  static FunctionParameter table(String name, String meaning) {
    return new FunctionParameter(name, Kind.TABLE, meaning);
  }

  static FunctionParameter constant(String name, String meaning) {
    return new FunctionParameter(name, Kind.CONSTANT, meaning);
  }
}
