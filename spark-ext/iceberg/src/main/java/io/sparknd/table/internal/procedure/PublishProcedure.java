/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.sql.internal.procedure.ProcedureCall;
import io.sparknd.sql.internal.procedure.TensorProcedure;
import io.sparknd.sql.internal.procedure.TensorProcedure.Output;
import io.sparknd.sql.internal.procedure.TensorProcedureParameter;
import io.sparknd.table.internal.PublicationErrors;
import io.sparknd.table.internal.opened.OpenedTable;
import io.sparknd.table.publish.JdbcSink;
import io.sparknd.table.publish.PublishSink;
import io.sparknd.table.publish.RedisSink;
import io.sparknd.table.publish.ValueFormat;
import io.sparknd.table.result.TablePublication;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The procedure {@code publish}: brings an online store to the state of a table. */
final class PublishProcedure extends TensorProcedure {
  private static final StructType SCHEMA =
      StructType.fromDDL(
          "kind string, snapshot bigint, upserted bigint, deleted bigint, bytes bigint");

  PublishProcedure() {
    super(
        "publish",
        "brings an online store to the state of a table, by the rows that differ",
        TensorProcedureParameter.TABLE,
        TensorProcedureParameter.required(
            "sink",
            DataTypes.StringType,
            "address of the store: redis://host:port, rediss://... or jdbc:..."),
        TensorProcedureParameter.string(
            "name", "prefix of keys, or table in the store; default: the table's last name"),
        TensorProcedureParameter.string(
            "values", "form of values without a type of the store: 'bytes' (default) or 'json'"),
        TensorProcedureParameter.optional(
            "properties",
            DataTypes.createMapType(DataTypes.StringType, DataTypes.StringType),
            "properties of JDBC connections, such as user and password"));
  }

  @Override
  protected Output run(SparkSession spark, ProcedureCall call) {
    OpenedTable table = OpenedTable.open(spark, call.required("table"));
    TablePublication done = table.publish(sink(call));
    return new Output(
        SCHEMA,
        List.of(
            RowFactory.create(
                done.kind().name().toLowerCase(Locale.ROOT),
                done.snapshot().isPresent() ? done.snapshot().getAsLong() : null,
                done.upserted(),
                done.deleted(),
                done.bytes())));
  }

  private static PublishSink sink(ProcedureCall call) {
    String address = call.required("sink");
    ValueFormat values = call.string("values").map(ValueFormat::named).orElse(ValueFormat.BYTES);
    Map<String, String> properties = call.texts("properties");
    if (properties.containsValue(null)) {
      throw SqlErrors.nullInTensor("properties");
    }
    if (!address.startsWith("jdbc:")) {
      RedisSink redis = RedisSink.at(address).withValues(values);
      if (!properties.isEmpty()) {
        throw PublicationErrors.redisProperties(redis.address());
      }
      return call.string("name").map(redis::withName).orElse(redis);
    }
    JdbcSink jdbc = JdbcSink.at(address).withValues(values);
    for (Map.Entry<String, String> property : properties.entrySet()) {
      jdbc = jdbc.withProperty(property.getKey(), property.getValue());
    }
    return call.string("name").map(jdbc::withName).orElse(jdbc);
  }
}
