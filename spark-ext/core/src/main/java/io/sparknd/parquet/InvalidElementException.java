/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

/** Thrown if a file's element is not a value of the tensor's dtype; the caller reports the row. */
public final class InvalidElementException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int position;
  private final transient Object value;

  /**
   * @param position the element's position among those of the call
   */
  public InvalidElementException(int position, Object value) {
    super(null, null, false, false);
    this.position = position;
    this.value = value;
  }

  public int position() {
    return position;
  }

  public Object value() {
    return value;
  }
}
