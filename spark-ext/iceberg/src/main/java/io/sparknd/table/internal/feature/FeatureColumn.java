/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import io.sparknd.table.internal.cell.CellType;
import io.sparknd.table.reduction.VariableReduction;
import java.io.Serializable;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.apache.commons.codec.binary.Hex;
import org.jspecify.annotations.Nullable;

/**
 * A column of a feature table that is not part of the key.
 *
 * @param fieldId id of the column in the Iceberg schema
 * @param fillText text of the value of what was never written; null for NULL
 * @param fillValue that value in Spark's internal form, or that of each element of a slice
 * @param declared the declared reduction; null if there is none
 * @param state names of the columns that hold the reduction's state
 * @param isState whether the column holds the state of another one
 * @param isRequired whether a stored NULL is an error
 * @param zone time zone of the dates and times without a zone of windows; null for that of the
 *     reader's session
 */
public record FeatureColumn(
    int fieldId,
    String name,
    CellType type,
    @Nullable String fillText,
    @Nullable Object fillValue,
    @Nullable VariableReduction declared,
    List<String> state,
    boolean isState,
    boolean isRequired,
    @Nullable ZoneId zone)
    implements Serializable {
  private static final String ID = ", id ";
  private static final String FILL = ", fill ";

  /** Returns the text of the value of what was never written; empty for NULL. */
  public Optional<String> fill() {
    return Optional.ofNullable(fillText);
  }

  /**
   * Returns what the values of the column depend on, as text for comparisons: type, id and fill
   * value. A column of the same name may be another one.
   */
  public String identity() {
    String text =
        type instanceof CellType.Elements elements
            ? elements.sql().sql() + " of " + elements.dtype() + elements.shape()
            : type.sql().sql();
    return text + ID + fieldId + FILL + fillIdentity();
  }

  private String fillIdentity() {
    if (fillValue instanceof byte[] bytes) {
      return Hex.encodeHexString(bytes);
    }
    String fill = String.valueOf(fillValue);
    // a text that reads as no fill value does
    return fillValue != null && fill.replace("'", "").equals("null") ? "'" + fill + "'" : fill;
  }

  /** Returns whether columns with these identities are the same, apart from fill values. */
  public static boolean isSameColumn(String identity, String other) {
    return withoutFill(identity).equals(withoutFill(other));
  }

  private static String withoutFill(String identity) {
    int fill = identity.indexOf(FILL, Math.max(0, identity.indexOf(ID)));
    return identity.substring(0, Math.max(0, fill));
  }

  /** Returns the column as tasks need it, which know the fold otherwise. */
  public FeatureColumn forTasks() {
    return new FeatureColumn(
        fieldId, name, type, null, fillValue, null, state, isState, isRequired, zone);
  }

  /** Returns the declared reduction, or {@code update}. */
  public VariableReduction effective() {
    return declared == null ? VariableReduction.update() : declared;
  }
}
