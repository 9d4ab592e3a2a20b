/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.sql.internal.procedure.ProcedureCall;
import io.sparknd.sql.internal.procedure.TensorProcedureParameter;
import io.sparknd.table.internal.AdoptionErrors;
import io.sparknd.table.internal.CatalogErrors;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.store.TableCatalogs;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.TimeWindows;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.iceberg.Schema;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.types.Type;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The arguments of procedures that say what a feature table is. */
record FeatureArguments(SparkSession spark, ProcedureCall call) {
  private static final DataType TEXTS =
      DataTypes.createMapType(DataTypes.StringType, DataTypes.StringType);
  private static final List<String> BY_VARIABLE =
      List.of("reductions", "windows", "tiles", "fills", "shapes");
  private static final Pattern SLICE = Pattern.compile("(\\w*)\\s*(\\[.*])?");

  /** Returns the parameters: some, and then those that all such procedures have. */
  static TensorProcedureParameter[] after(TensorProcedureParameter... some) {
    return Stream.concat(
            Arrays.stream(some),
            Stream.of(
                TensorProcedureParameter.optional(
                    "reductions",
                    TEXTS,
                    "reductions by variable: 'add', 'mul', 'min', 'max', 'fmin', 'fmax', 'count', 'mean', "
                        + "'last(seen)', 'first(seen)', 'last_n(10)', 'last_n(10, seen)', "
                        + "'hll_union', 'theta_union', 'custom:CLASS'; default: 'update'"),
                TensorProcedureParameter.optional(
                    "windows",
                    TEXTS,
                    "windows of time by variable, such as '1 day, 7 days'; its reduction names the "
                        + "column with the time, as in 'add(seen)' or 'last_n(10, seen)'"),
                TensorProcedureParameter.optional(
                    "tiles", TEXTS, "length of the tiles of windows by variable, such as '1 day'"),
                TensorProcedureParameter.optional(
                    "fills", TEXTS, "values of what was never written, by variable; default NULL"),
                TensorProcedureParameter.optional(
                    "shapes",
                    TEXTS,
                    "dtype and shape of slices by variable, such as 'float32[64]'"),
                TensorProcedureParameter.integer(
                    "size", "size of a numbered axis, whose key is one bigint column"),
                TensorProcedureParameter.string(
                    "bucket_column", "column of the key that is bucketed; default the first"),
                TensorProcedureParameter.integer("buckets", "number of buckets"),
                TensorProcedureParameter.integer(
                    "expected_rows", "expected number of rows, for the number of buckets"),
                TensorProcedureParameter.interval("ttl", "interval after which evict deletes rows"),
                TensorProcedureParameter.string(
                    "ttl_column", "timestamp column from which that interval counts"),
                TensorProcedureParameter.optional("properties", TEXTS, "further table properties")))
        .toArray(TensorProcedureParameter[]::new);
  }

  /** Returns the specification of a new table: its columns are definitions of SQL. */
  FeatureTableSpec created() {
    List<FeatureTableSpec.KeyField> keys = KeyDefinitions.parse(call.required("keys"));
    StructType variables = StructType.fromDDL(call.required("variables"));
    for (StructField field : variables.fields()) {
      if (!field.nullable()) {
        throw CatalogErrors.requiredVariable(call.required("table"), field.name());
      }
    }
    return spec(keys, Arrays.asList(variables.fields()));
  }

  /** Returns the specification of a table that exists: its types are those of the table. */
  FeatureTableSpec adopted() {
    String table = call.required("table");
    Schema schema = TableCatalogs.load(spark, table).table().schema();
    StructType columns = SparkSchemaUtil.convert(schema);
    List<String> names = Arrays.asList(columns.fieldNames());
    List<FeatureTableSpec.KeyField> keys = new ArrayList<>();
    for (String key :
        call.columns("keys")
            .orElseThrow(() -> SqlErrors.argumentMissing(call.procedure(), "keys"))) {
      if (!names.contains(key)) {
        throw AdoptionErrors.adoptedColumn(table, key, names);
      }
      keys.add(keyField(key, schema));
    }
    List<StructField> described = new ArrayList<>();
    for (StructField field : columns.fields()) {
      boolean isNamed =
          BY_VARIABLE.stream().anyMatch(argument -> texts(argument).containsKey(field.name()));
      if (isNamed) {
        described.add(field);
      }
    }
    return spec(keys, described);
  }

  private static FeatureTableSpec.KeyField keyField(String name, Schema schema) {
    Type type =
        schema.columns().stream()
            .filter(field -> field.name().equals(name))
            .findFirst()
            .orElseThrow()
            .type();
    String sql = type.typeId() == Type.TypeID.UUID ? "uuid" : SparkSchemaUtil.convert(type).sql();
    return new FeatureTableSpec.KeyField(name, sql);
  }

  private FeatureTableSpec spec(List<FeatureTableSpec.KeyField> keys, List<StructField> variables) {
    requireKnown(variables.stream().map(StructField::name).toList());
    FeatureTableSpec spec =
        new FeatureTableSpec(
            keys,
            call.integer("size").map(OptionalLong::of).orElse(OptionalLong.empty()),
            variables.stream().map(this::variable).toList(),
            call.string("bucket_column"),
            call.integer("expected_rows"),
            call.integer("buckets").map(FeatureArguments::narrowed),
            texts("properties"));
    Optional<Duration> ttl = call.interval("ttl");
    Optional<String> column = call.string("ttl_column");
    if (ttl.isPresent() != column.isPresent()) {
      throw SqlErrors.argumentMissing(call.procedure(), ttl.isPresent() ? "ttl_column" : "ttl");
    }
    return ttl.isPresent() ? spec.withTimeToLive(ttl.get(), column.get()) : spec;
  }

  private static int narrowed(long value) {
    return (int) Math.max(-1, Math.min(Integer.MAX_VALUE, value));
  }

  /** Checks that arguments name no variable that is not there. */
  private void requireKnown(List<String> variables) {
    for (String argument : BY_VARIABLE) {
      for (String name : texts(argument).keySet()) {
        if (!variables.contains(name)) {
          throw FeatureErrors.argumentVariable(argument, name, variables);
        }
      }
    }
  }

  private Map<String, String> texts(String argument) {
    Map<String, String> texts = call.texts(argument);
    if (texts.containsValue(null)) {
      throw SqlErrors.nullInTensor(argument);
    }
    return texts;
  }

  private Variable variable(StructField field) {
    String slice = texts("shapes").getOrDefault(field.name(), "");
    Matcher parts = SLICE.matcher(slice.strip());
    if (!parts.matches()) {
      throw FeatureErrors.sliceText(field.name(), slice);
    }
    Optional<DType> dtype =
        Optional.of(parts.group(1)).filter(name -> !name.isEmpty()).map(DType::named);
    Optional<Shape> shape = Optional.ofNullable(parts.group(2)).map(Shape::parse);
    return new Variable(
        field.name(),
        field.dataType(),
        dtype,
        shape,
        Optional.ofNullable(texts("fills").get(field.name())),
        reduction(field.name()));
  }

  private Optional<VariableReduction> reduction(String variable) {
    Optional<String> text = Optional.ofNullable(texts("reductions").get(variable));
    String windows = texts("windows").get(variable);
    String tile = texts("tiles").get(variable);
    if (windows == null && tile == null) {
      return text.map(ReductionText::parse);
    }
    if (windows == null || tile == null || text.isEmpty()) {
      String missing = windows == null ? "windows" : tile == null ? "tiles" : "reductions";
      throw FeatureErrors.windowArgument(variable, missing);
    }
    return Optional.of(ReductionText.parse(text.get(), TimeWindows.parse(tile, windows)));
  }
}
