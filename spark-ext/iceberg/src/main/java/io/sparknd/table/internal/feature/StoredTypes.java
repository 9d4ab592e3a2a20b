/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Records of the dtypes and shapes of variables beside the properties that declare them. Other
 * engines can change properties, but not the values: bytes of other elements would be read without
 * an error.
 */
public final class StoredTypes {
  /** The option of a variable that repeats dtype and shape. */
  static final String OPTION = "stored";

  private StoredTypes() {}

  /** Returns the text of the declared options; empty if they declare neither dtype nor shape. */
  static Optional<String> declared(Map<String, String> options) {
    return declared(FeatureProperties.dtype(options), FeatureProperties.shape(options));
  }

  static Optional<String> declared(Optional<DType> dtype, Optional<Shape> shape) {
    String text =
        dtype.map(DType::toString).orElse("")
            + shape.filter(s -> s.rank() > 0).map(Shape::toString).orElse("");
    return Optional.of(text).filter(declared -> !declared.isEmpty());
  }

  /** Returns whether the options of a variable declare what its record has, if it has one. */
  static boolean isRecorded(Map<String, String> options) {
    String record = options.get(OPTION);
    return record == null || Optional.of(record).equals(declared(options));
  }

  /**
   * Returns whether changes of properties only set dtypes and shapes back to those of the records.
   *
   * @param changes new values; empty for properties to remove
   */
  public static boolean restores(
      Map<String, String> properties, Map<String, Optional<String>> changes) {
    Map<String, String> next = changed(properties, changes);
    boolean areTypes =
        changes.keySet().stream().allMatch(key -> key.endsWith(".dtype") || key.endsWith(".shape"));
    return areTypes && unlike(next) < unlike(properties);
  }

  /** Returns properties with changes; an empty value removes a property. */
  public static Map<String, String> changed(
      Map<String, String> properties, Map<String, Optional<String>> changes) {
    Map<String, String> next = new HashMap<>(properties);
    changes.forEach(
        (key, value) -> value.ifPresentOrElse(text -> next.put(key, text), () -> next.remove(key)));
    return next;
  }

  /** Returns how many variables declare other values than they have. */
  private static long unlike(Map<String, String> properties) {
    return FeatureProperties.described(properties).stream()
        .filter(name -> !isRecorded(FeatureProperties.ofVariable(properties, name)))
        .count();
  }
}
