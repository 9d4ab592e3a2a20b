/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.plan;

/**
 * A parameter of a table function.
 *
 * @param kind what it takes
 * @param meaning as {@code DESCRIBE FUNCTION EXTENDED} shows it
 */
record FunctionParameter(String name, Kind kind, String meaning) {
  enum Kind {
    /** A table or query, which must be given. */
    TABLE,
    /** A constant; left out or NULL, it is open. */
    CONSTANT
  }

  static FunctionParameter table(String name, String meaning) {
    return new FunctionParameter(name, Kind.TABLE, meaning);
  }

  static FunctionParameter constant(String name, String meaning) {
    return new FunctionParameter(name, Kind.CONSTANT, meaning);
  }
}
