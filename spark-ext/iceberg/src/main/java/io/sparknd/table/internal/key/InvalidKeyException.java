/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.key;

/** Signals a string that is not a UUID in a key column of that type. */
public final class InvalidKeyException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String column;
  private final String value;

  InvalidKeyException(String column, String value) {
    super(column + " = '" + value + "' is not a UUID", null, false, false);
    this.column = column;
    this.value = value;
  }

  public String column() {
    return column;
  }

  public String value() {
    return value;
  }
}
