/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.io.Serializable;

/** A complex element, as returned by {@link Tensor#element}. */
public record Complex(double real, double imaginary) implements Serializable {
  @Override
  public String toString() {
    return real + (imaginary < 0 || 1 / imaginary < 0 ? "-" : "+") + Math.abs(imaginary) + "j";
  }
}
