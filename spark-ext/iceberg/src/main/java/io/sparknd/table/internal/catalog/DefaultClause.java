/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.catalog;

import io.sparknd.cluster.internal.spark.ConstantExpressions;
import io.sparknd.table.internal.CatalogErrors;
import io.sparknd.table.internal.feature.FillValues;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** Evaluates {@code DEFAULT} clauses, which declare fill values of variables. */
final class DefaultClause {
  private DefaultClause() {}

  /**
   * Returns the text of a default; empty for NULL. An instant is not the session's local time.
   *
   * @param sql the expression
   * @throws io.sparknd.tensor.SparkNdException if the value depends on the time or the session, or
   *     is bytes that are no text
   */
  static Optional<String> text(String sql, String variable, DataType type) {
    boolean isInstant = type.equals(DataTypes.TimestampType);
    Column given = functions.expr(sql);
    Dataset<Row> asked =
        SparkSession.active()
            .range(1)
            .select(
                isInstant
                    ? functions.unix_micros(given.cast(type))
                    : given.cast("string").cast("binary"));
    if (ConstantExpressions.dependsOnSession(asked)) { // later rows would have this one's time
      throw CatalogErrors.defaultNotConstant(variable, sql);
    }
    Row row = asked.first();
    if (row.isNullAt(0)) {
      return Optional.empty();
    }
    return Optional.of(
        isInstant ? FillValues.instant(row.getLong(0)) : utf8(variable, (byte[]) row.get(0)));
  }

  private static String utf8(String variable, byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw CatalogErrors.defaultOfBytes(variable, bytes);
    }
  }
}
