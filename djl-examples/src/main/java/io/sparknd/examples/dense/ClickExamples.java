/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.dense;

import java.io.Serializable;

/**
 * Examples with the same number of categorical and of numeric columns.
 *
 * @param ids features of all columns, {@code [count, columns]}, row-major
 * @param numbers numeric values, {@code [count, numbers]}, row-major
 * @param labels 0 or 1
 */
public record ClickExamples(long[] ids, float[] numbers, float[] labels) implements Serializable {
  /** The number of examples. */
  public int count() {
    return labels.length;
  }
}
