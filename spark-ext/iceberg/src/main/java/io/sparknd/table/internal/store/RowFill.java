/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import io.sparknd.table.internal.file.ValueColumns;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.ElementText;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The fill value of rows that were never written: one value for all elements, or one per feature.
 */
final class RowFill {
  private RowFill() {}

  /**
   * Returns one element, or a row of elements if {@code features} is not empty.
   *
   * @param value of elements that {@code features} does not name
   */
  static Tensor of(DType dtype, Object value, ValueColumns columns, Map<String, Object> features) {
    if (features.isEmpty()) {
      return Tensor.fill(dtype, Shape.of(1), value);
    }
    List<String> names = columns.names();
    Tensor row = Tensor.zeros(dtype, Shape.of(names.size()));
    for (int i = 0; i < names.size(); i++) {
      Tensor one = Tensor.fill(dtype, Shape.of(1), features.getOrDefault(names.get(i), value));
      System.arraycopy(one.array(), 0, row.array(), i * dtype.units(), dtype.units());
    }
    return row;
  }

  /**
   * Returns property {@code key} for the first element, and {@code key.FEATURE} for each element
   * that differs.
   */
  static Map<String, String> properties(String key, StoredFormat format) {
    Tensor fill = format.fill();
    Map<String, String> properties = new TreeMap<>();
    properties.put(key, fill.element(0).toString());
    for (int i = 1; i < fill.elements(); i++) {
      if (!fill.element(i).equals(fill.element(0))) {
        String feature = format.rows().values().names().get(i);
        properties.put(key + "." + feature, fill.element(i).toString());
      }
    }
    return properties;
  }

  /** Returns the values by feature from the properties that {@link #properties} returned. */
  static Map<String, Object> features(String key, DType dtype, Map<String, String> properties) {
    Map<String, Object> features = new HashMap<>();
    properties.forEach(
        (property, text) -> {
          if (property.startsWith(key + ".")) {
            features.put(property.substring(key.length() + 1), ElementText.parse(dtype, text));
          }
        });
    return features;
  }
}
