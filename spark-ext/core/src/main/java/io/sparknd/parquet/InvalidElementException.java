/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

/** An element of a file that the tensor's dtype does not have; whoever knows the row names it. */
public final class InvalidElementException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int position;
  private final transient Object value;

  /**
   * @param position among the elements of the call
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
