/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.op.Reduction;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Represents bytes as a string of one character for each byte, so that the order of the strings is
 * that of the unsigned bytes, shorter prefixes first.
 *
 * @param mark what precedes the bytes of each value
 * @param missing the string of elements without a value, which any value replaces; null if those
 *     elements have no bytes
 */
record ByteText(String mark, @Nullable String missing) implements Serializable {
  private static final long serialVersionUID = 1;

  private static final String SMALL = "0";
  private static final String LARGE = "1";

  /** Values that are not compared. */
  static final ByteText MOVED = new ByteText("", null);

  /** Returns the representation for a reduction that keeps the smallest or the largest value. */
  static ByteText compared(Reduction reduction) {
    return MovedType.keepsSmallest(reduction)
        ? new ByteText(SMALL, LARGE)
        : new ByteText(LARGE, SMALL);
  }

  String encode(byte[] bytes) {
    return mark + new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** Returns the bytes of a value; null for {@link #missing}. */
  byte @Nullable [] decode(UTF8String encoded) {
    String text = encoded.toString();
    return text.equals(missing)
        ? null
        : text.substring(mark.length()).getBytes(StandardCharsets.ISO_8859_1);
  }
}
