/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.cluster.internal.spark.ConstantExpressions;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.cell.CellType;
import org.apache.spark.sql.types.DataType;

/** Converts the text of fill values to values in Spark's internal form. */
final class FillValues {
  private FillValues() {}

  /**
   * Returns the value of a fill value's text: of the column's type, or of the elements of its
   * slices.
   *
   * @throws io.sparknd.tensor.SparkNdException if the text is not a value of the type
   */
  static Object of(String variable, String text, CellType type) {
    DataType wanted = type.sql();
    if (type instanceof CellType.Elements elements
        && (elements.shape().rank() > 0 || elements.isBinary())) {
      wanted = SqlTypes.element(elements.dtype());
    }
    Object value = ConstantExpressions.cast(text, wanted);
    if (value == null) {
      throw FeatureErrors.fillValue(variable, text, wanted.simpleString());
    }
    return value;
  }
}
