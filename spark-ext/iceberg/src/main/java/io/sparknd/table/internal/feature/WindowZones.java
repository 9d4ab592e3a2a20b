/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import io.sparknd.cluster.internal.spark.CapturedTimeZone;
import io.sparknd.table.internal.TableErrors;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * The time zones of the clocks whose dates and times without a zone are in windows. Without a
 * property, the session of each reader would tell when such a day has ended.
 */
final class WindowZones {
  /** The option of a variable that has the time zone. */
  static final String OPTION = "zone";

  private WindowZones() {}

  /**
   * Returns the time zone that the property of a variable has; null if it has none.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is no time zone
   */
  static @Nullable ZoneId of(Map<String, String> properties, String variable) {
    String key = FeatureProperties.key(variable, OPTION);
    String text = properties.get(key);
    try {
      return text == null ? null : new CapturedTimeZone(text).zone();
    } catch (DateTimeException e) {
      throw TableErrors.badTableProperty(
          key, String.valueOf(text), "a time zone, such as America/Los_Angeles");
    }
  }

  /**
   * Returns the property of each variable whose windows are declared now, over dates or times
   * without a zone: the session's time zone.
   */
  static Map<String, String> declared(Map<String, String> properties, FeatureFormat format) {
    Map<String, String> zones = new TreeMap<>();
    for (FeatureColumn variable : format.columns()) {
      boolean isNew =
          StateRecord.in(properties, variable)
              .filter(record -> record.isOf(variable.effective()))
              .isEmpty();
      if (isNew && variable.zone() == null && areLocal(format, variable)) {
        zones.put(
            FeatureProperties.key(variable.name(), OPTION), CapturedTimeZone.now().zone().getId());
      }
    }
    return zones;
  }

  private static boolean areLocal(FeatureFormat format, FeatureColumn variable) {
    return variable.effective().windows().isPresent()
        && variable
            .effective()
            .orderBy()
            .flatMap(name -> format.ordinal(name).stream().boxed().findFirst())
            .filter(ordinal -> isLocal(format.columns().get(ordinal).type().sql()))
            .isPresent();
  }

  private static boolean isLocal(DataType time) {
    return time.equals(DataTypes.DateType) || time.equals(DataTypes.TimestampNTZType);
  }
}
