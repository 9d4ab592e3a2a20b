/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.columnar;

import io.sparknd.arrow.ArrowErrors;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** Strings of Spark as elements of tensors, which are Java strings. */
public final class StringElements {
  /** What decoding puts in the place of bytes that are not UTF-8. */
  private static final char REPLACEMENT = '\uFFFD';

  private StringElements() {}

  /**
   * Returns a string with the same bytes; null if there is none. Strings of Spark may have any
   * bytes, as those of {@code CAST(X'FF' AS STRING)}, which a Java string cannot keep.
   */
  public static @Nullable String of(UTF8String value) {
    String string = value.toString();
    return string.indexOf(REPLACEMENT) < 0 || value.isValid() ? string : null;
  }

  /**
   * Returns an element as a string of Spark.
   *
   * @throws io.sparknd.tensor.SparkNdException if it has an unpaired surrogate, which Spark would
   *     replace by a question mark
   */
  static UTF8String stored(String element) {
    if (hasUnpairedSurrogate(element)) {
      throw ArrowErrors.notUnicode(element);
    }
    return UTF8String.fromString(element);
  }

  private static boolean hasUnpairedSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        int point = text.codePointAt(i); // of both if there is a pair
        if (point <= Character.MAX_SURROGATE) {
          return true;
        }
        i++;
      }
    }
    return false;
  }
}
