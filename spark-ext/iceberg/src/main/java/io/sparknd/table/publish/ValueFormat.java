/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.publish;

import io.sparknd.table.internal.PublicationErrors;
import java.util.Locale;

/** The form in which an online store holds values that have no type of its own. */
public enum ValueFormat {
  /**
   * Row-major little-endian elements of the dtype of the variable or tensor, the bytes of NumPy's
   * {@code tobytes()}: 4 for a float32, 256 for a float32[64]. A date is an int32 of days and a
   * timestamp an int64 of microseconds since 1970; a string is UTF-8, a binary value itself, a
   * decimal its decimal text, and an array of strings or a value of any other type JSON.
   */
  BYTES,

  /**
   * JSON text, as of SQL's {@code to_json} without {@code ignoreNullFields}: NaN and infinities are
   * strings, dates and timestamps are ISO 8601 in UTC, binary values base64.
   */
  JSON;

  /**
   * Returns the form of this name, in any case: {@code bytes} or {@code json}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the name is unknown
   */
  public static ValueFormat named(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "bytes" -> BYTES;
      case "json" -> JSON;
      default -> throw PublicationErrors.unknownValueFormat(name);
    };
  }
}
