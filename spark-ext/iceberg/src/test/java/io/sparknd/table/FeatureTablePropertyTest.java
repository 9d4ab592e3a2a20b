/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.table.FeatureModel.Modelled;
import io.sparknd.table.FeatureModel.Update;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.FeatureUpdates;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.table.result.TableCommit.Outcome;
import java.sql.Date;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/** Tests random histories of feature tables of every key type against {@link FeatureModel}. */
@Tag("slow")
class FeatureTablePropertyTest {
  private static final int TRIES = 3;
  private static final int STEPS = 6;
  private static final List<String> TYPES = List.of("string", "bigint", "int", "date", "binary");

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void historiesMatchTheModel(@ForAll long seed) {
    new History(seed).run();
  }

  /** Keys by {@code id}, and the number of them that makes a column chunk of over 1 MiB. */
  private enum LargeKeys {
    STRING("string", "concat(repeat('\u00ff', id % 3 * 32), sha2(string(id), 512))", 12_000),
    PAIR("string", "concat(repeat('\u00ff', id % 3 * 32), sha2(string(id div 2), 512))", 12_000),
    BINARY("binary", "unhex(concat(repeat('ff', id % 3 * 33), sha2(string(id), 512)))", 16_000),
    BIGINT("bigint", "(id - 70000) * 131000000007", 140_000),
    INT("int", "int((id - 140000) * 7919)", 280_000);

    private final String type;
    private final String key;
    private final long count;

    LargeKeys(String type, String key, long count) {
      this.type = type;
      this.key = key;
      this.count = count;
    }

    /** Returns the rows of some ids. */
    String rows(String ids) {
      return "SELECT %s AS k, int(id %% 2) AS n, id AS v FROM (%s)".formatted(key, ids);
    }
  }

  @Property(tries = 2, generation = GenerationMode.RANDOMIZED)
  void fewKeysAreFoundInLargeFiles(@ForAll LargeKeys keys) {
    SparkSession spark = TestTables.spark();
    FeatureTable table = FeatureTable.create(spark, TestTables.name(), largeSpec(keys));
    List<String> key = table.keyColumns();
    String by = String.join(", ", key);
    String few = "SELECT id * 173 + %d AS id FROM range(40)";
    List<String> rows =
        List.of(
            keys.rows("SELECT id FROM range(" + keys.count + ")"),
            keys.rows(few.formatted(5)),
            keys.rows(few.formatted(keys.count - 3000)));
    rows.forEach(of -> table.scatter(spark.sql("SELECT " + by + ", v FROM (" + of + ")")));
    Dataset<Row> expected =
        spark.sql(
            "SELECT %s, sum(v) AS v FROM (%s) GROUP BY %s"
                .formatted(by, String.join(" UNION ALL ", rows), by));
    assertSame(table.toDataset(), expected);
    String some = keys.rows("SELECT id * 97 - 1000 AS id FROM range(200)");
    Dataset<Row> asked = spark.sql("SELECT " + by + " FROM (" + some + ")");
    assertSame(
        table.gather(asked, key),
        asked.join(expected, scala.jdk.javaapi.CollectionConverters.asScala(key).toSeq(), "left"));
  }

  private static void assertSame(Dataset<Row> found, Dataset<Row> expected) {
    assertThat(found.exceptAll(expected).collectAsList()).isEmpty();
    assertThat(expected.exceptAll(found).collectAsList()).isEmpty();
  }

  private static FeatureTableSpec largeSpec(LargeKeys keys) {
    FeatureTableSpec spec = FeatureTableSpec.keyedBy("k", keys.type);
    spec = keys == LargeKeys.PAIR ? spec.andKey("n", "int") : spec;
    return spec.with(Variable.of("v", "bigint").reducedBy(VariableReduction.add()))
        .withBuckets(1)
        .withProperty("write.parquet.compression-codec", "uncompressed")
        .withProperty("write.parquet.dict-size-bytes", "65536")
        .withProperty("write.parquet.page-size-bytes", "4096");
  }

  /** One table, its model, and what is done to both. */
  private static final class History {
    private final Random random;
    private final SparkSession spark = TestTables.spark();
    private final StringBuilder log = new StringBuilder();
    private final Map<Long, SortedMap<String, List<String>>> versions = new HashMap<>();
    private final List<Integer> batches = new ArrayList<>();
    private final List<Modelled> variables;
    private final List<String> names;
    private final List<String> keyTypes;
    private final List<List<Object>> keys;
    private final FeatureModel model;
    private final FeatureTable table;

    History(long seed) {
      random = new Random(seed);
      log.append("seed ").append(seed);
      List<Modelled> shuffled = new ArrayList<>(FeatureModel.all());
      Collections.shuffle(shuffled, random);
      int most = 2 + random.nextInt(shuffled.size());
      variables = shuffled.stream().limit(most).collect(Collectors.toCollection(ArrayList::new));
      if (variables.stream().noneMatch(each -> each.name().equals(FeatureModel.ORDER))) {
        variables.addAll(
            shuffled.stream().filter(each -> each.name().equals(FeatureModel.ORDER)).toList());
      }
      names = variables.stream().map(Modelled::name).toList();
      boolean isNumbered = random.nextInt(6) == 0;
      keyTypes =
          isNumbered
              ? List.of("bigint")
              : IntStream.range(0, 1 + random.nextInt(random.nextInt(3) + 1))
                  .mapToObj(i -> any(TYPES))
                  .toList();
      int size = random.nextInt(3) == 0 ? 600 : 40;
      keys = distinctKeys(isNumbered ? OptionalRange.of(size) : OptionalRange.NONE, size);
      model = new FeatureModel(variables);
      table = FeatureTable.create(spark, TestTables.name(), spec(isNumbered, size));
      log.append(' ').append(keyTypes).append(names).append(table.iceberg().properties());
    }

    /** The bounds of the keys of a numbered axis. */
    private record OptionalRange(int size) {
      static final OptionalRange NONE = new OptionalRange(-1);

      static OptionalRange of(int size) {
        return new OptionalRange(size);
      }
    }

    private List<List<Object>> distinctKeys(OptionalRange range, int count) {
      Map<String, List<Object>> distinct = new TreeMap<>();
      for (int i = 0; i < count; i++) {
        List<Object> key =
            range.size() < 0
                ? keyTypes.stream().map(this::keyValue).toList()
                : List.of((long) random.nextInt(range.size()));
        distinct.put(FeatureModel.text(key), key);
      }
      return new ArrayList<>(distinct.values());
    }

    private Object keyValue(String type) {
      return switch (type) {
        case "string" -> string();
        case "bigint" ->
            switch (random.nextInt(4)) {
              case 0 -> Long.MIN_VALUE + random.nextInt(2);
              case 1 -> Long.MAX_VALUE - random.nextInt(2);
              default -> random.nextInt(1000) - 500L;
            };
        case "int" ->
            switch (random.nextInt(4)) {
              case 0 -> Integer.MIN_VALUE + random.nextInt(2);
              case 1 -> Integer.MAX_VALUE - random.nextInt(2);
              default -> random.nextInt(1000) - 500;
            };
        case "date" -> Date.valueOf(LocalDate.ofEpochDay(random.nextInt(40_000) - 20_000));
        default -> bytes();
      };
    }

    private String string() {
      String[] starts = {
        "", "", "\0", "a", "x".repeat(70), "\udbff\udfff".repeat(20), "\ufffd", "'\"`\\,;%\n"
      };
      String[] ends = {
        "", "\0", "\0\0", "a\0b", "\u00e9", "e\u0301", "\ud83d\ude00", "\u007f", " "
      };
      String end = random.nextBoolean() ? any(List.of(ends)) : "" + random.nextInt(300);
      return any(List.of(starts)) + end;
    }

    private byte[] bytes() {
      byte[] bytes = new byte[random.nextInt(3) == 0 ? 68 : random.nextInt(4)];
      java.util.Arrays.fill(bytes, (byte) (random.nextBoolean() ? -1 : 0));
      for (int i = Math.max(0, bytes.length - 2); i < bytes.length; i++) {
        bytes[i] = (byte) (random.nextBoolean() ? random.nextInt() : -random.nextInt(2));
      }
      return bytes;
    }

    private FeatureTableSpec spec(boolean isNumbered, int size) {
      FeatureTableSpec spec =
          isNumbered
              ? FeatureTableSpec.numbered("k0", size).withExpectedRows(1 + random.nextInt(1 << 20))
              : FeatureTableSpec.keyedBy("k0", keyTypes.get(0));
      for (int i = 1; i < keyTypes.size(); i++) {
        spec = spec.andKey("k" + i, keyTypes.get(i));
      }
      if (!isNumbered) {
        spec = spec.withBuckets(1 + random.nextInt(5)).bucketedBy("k" + any(ordinals()));
      }
      for (Modelled variable : variables) {
        spec = spec.with(variable.variable());
      }
      for (String property : PROPERTIES) {
        if (random.nextInt(3) == 0) {
          String[] parts = property.split("=");
          spec = spec.withProperty(parts[0], parts[1]);
        }
      }
      return spec;
    }

    private static final List<String> PROPERTIES =
        List.of(
            "write.merge.mode=copy-on-write",
            "write.update.mode=copy-on-write",
            "write.delete.mode=copy-on-write",
            "sparknd.rows-per-bucket=9",
            "write.parquet.page-size-bytes=256",
            "write.parquet.page-row-limit=7",
            "write.parquet.row-group-size-bytes=4096",
            "write.parquet.dict-size-bytes=64",
            "write.parquet.compression-codec=zstd",
            "write.parquet.compression-codec=uncompressed");

    private List<Integer> ordinals() {
      return IntStream.range(0, keyTypes.size()).boxed().toList();
    }

    private <T> T any(List<T> from) {
      return from.get(random.nextInt(from.size()));
    }

    void run() {
      commit();
      check();
      for (int step = 0; step < STEPS; step++) {
        step();
        check();
      }
      for (long version : versions.keySet()) {
        FeatureTable then = table.snapshot(version);
        assertThat(texts(then)).as(log.toString()).isEqualTo(versions.get(version));
      }
      FeatureTable reopened = FeatureTable.open(spark, table.name());
      assertThat(texts(reopened)).as(log.toString()).isEqualTo(model.texts(names));
      List<Row> ids =
          spark
              .sql("SELECT count(*), count(DISTINCT _row_id) FROM " + table.name())
              .collectAsList();
      assertThat(ids.get(0).get(0)).as(log.toString()).isEqualTo(ids.get(0).get(1));
    }

    private void step() {
      switch (random.nextInt(12)) {
        case 0 -> compact();
        case 1 -> insert();
        case 2 -> update();
        case 3 -> delete();
        case 4 -> replay();
        case 5 -> expire();
        case 6 -> evict();
        default -> commit();
      }
    }

    private void compact() {
      log.append("\ncompact");
      table.compact();
    }

    private void expire() {
      log.append("\nexpire");
      table.expire(Retention.of(Duration.ZERO));
      versions.keySet().removeIf(version -> version != table.snapshot().getAsLong());
    }

    private void commit() {
      int batch = batches.size();
      FeatureWrite write = table.write().batchId("b" + batch);
      log.append("\ncommit ").append(batch);
      for (int stages = 1 + random.nextInt(3) / 2; stages > 0; stages--) {
        write = stage(write);
      }
      assertThat(write.commit().outcome()).as(log.toString()).isEqualTo(Outcome.COMMITTED);
      batches.add(batch);
    }

    private void replay() {
      int batch = any(batches);
      log.append("\nreplay ").append(batch);
      List<Update> updates = updates(names, 5);
      assertThat(
              table
                  .write()
                  .scatter(frame(updates, names, false))
                  .batchId("b" + batch)
                  .commit()
                  .outcome())
          .as(log.toString())
          .isEqualTo(Outcome.REPLAYED);
    }

    /** Adds a stage of random rows to a commit, and applies it to the model. */
    private FeatureWrite stage(FeatureWrite write) {
      boolean replaces = random.nextInt(5) == 0;
      List<String> changed = new ArrayList<>();
      for (Modelled variable : variables) {
        boolean isPossible = !replaces || !variable.hasState();
        if (isPossible && (changed.isEmpty() || random.nextInt(3) > 0)) {
          changed.add(variable.name());
        }
      }
      boolean sorts = random.nextInt(4) == 0;
      boolean isListed = sorts || replaces || random.nextBoolean();
      boolean needsOrder =
          variables.stream().anyMatch(each -> changed.contains(each.name()) && each.needsOrder());
      List<String> columns = new ArrayList<>(changed);
      if (needsOrder && !columns.contains(FeatureModel.ORDER)) {
        columns.add(FeatureModel.ORDER);
        changed.addAll(isListed ? List.of() : List.of(FeatureModel.ORDER));
      }
      FeatureUpdates how =
          isListed ? FeatureUpdates.of(changed.toArray(String[]::new)) : FeatureUpdates.declared();
      how = replaces ? how.by(VariableReduction.update()) : how;
      how = sorts ? how.orderedBy("seq") : how;
      List<Update> updates =
          updates(columns, random.nextInt(3) == 0 ? 2 * keys.size() : 1 + random.nextInt(30));
      log.append(" [").append(updates.size()).append(" rows, ").append(how).append(']');
      Dataset<Row> frame = frame(updates, columns, sorts);
      model.apply(updates, changed, how);
      return write.scatter(frame, how);
    }

    private List<Update> updates(List<String> columns, int count) {
      List<Update> updates = new ArrayList<>();
      int nulls = 1 + random.nextInt(8);
      for (int i = 0; i < count; i++) {
        Map<String, Object> values = new HashMap<>();
        for (Modelled variable : variables) {
          boolean isPresent =
              variable.name().equals(FeatureModel.ORDER) || random.nextInt(nulls + 1) > 0;
          if (isPresent && columns.contains(variable.name())) {
            values.put(variable.name(), variable.values().any(random));
          }
        }
        updates.add(new Update(any(keys), values));
      }
      return updates;
    }

    /**
     * Returns rows of updates, in several partitions.
     *
     * @param sorts whether rows lie in another order, and column {@code seq} has the right one
     */
    private Dataset<Row> frame(List<Update> updates, List<String> columns, boolean sorts) {
      StructType schema = keySchema("k");
      for (String column : columns) {
        Modelled variable =
            variables.stream().filter(each -> each.name().equals(column)).findFirst().orElseThrow();
        schema = schema.add(column, DataType.fromDDL(variable.input()));
      }
      schema = sorts ? schema.add("seq", "bigint") : schema;
      List<Row> rows = new ArrayList<>();
      for (Update update : updates) {
        List<Object> values = new ArrayList<>(update.key());
        columns.forEach(column -> values.add(update.values().get(column)));
        if (sorts) {
          values.add((long) rows.size());
        }
        rows.add(RowFactory.create(values.stream().map(History::external).toArray()));
      }
      if (sorts) {
        Collections.shuffle(rows, random);
      }
      return frame(rows, schema);
    }

    private static Object external(Object value) {
      return value instanceof List<?> list
          ? scala.jdk.javaapi.CollectionConverters.asScala(list).toSeq()
          : value;
    }

    private Dataset<Row> frame(List<Row> rows, StructType schema) {
      return spark.createDataFrame(
          JavaSparkContext.fromSparkContext(spark.sparkContext())
              .parallelize(rows, 1 + random.nextInt(3)),
          schema);
    }

    private StructType keySchema(String prefix) {
      StructType schema = new StructType();
      for (int i = 0; i < keyTypes.size(); i++) {
        schema = schema.add(prefix + i, keyTypes.get(i));
      }
      return schema;
    }

    /** Inserts rows by Spark, with values of the variables that have no state. */
    private void insert() {
      List<String> columns = stateless();
      List<Update> updates =
          updates(columns, 20).stream().filter(update -> !model.contains(update.key())).toList();
      Map<String, Update> distinct = new TreeMap<>();
      updates.forEach(update -> distinct.put(FeatureModel.text(update.key()), update));
      log.append("\ninsert ").append(distinct.keySet());
      view(new ArrayList<>(distinct.values()), columns);
      String all = String.join(", ", keySchema("k").fieldNames());
      all += columns.isEmpty() ? "" : ", " + String.join(", ", columns);
      spark.sql("INSERT INTO " + table.name() + " (" + all + ") SELECT " + all + " FROM fed");
      distinct.values().forEach(update -> model.set(update.key(), update.values()));
    }

    private List<String> stateless() {
      return variables.stream().filter(each -> !each.hasState()).map(Modelled::name).toList();
    }

    private void view(List<Update> updates, List<String> columns) {
      frame(updates, columns, false).coalesce(1).createOrReplaceTempView("fed");
    }

    private String matched() {
      return ordinals().stream()
          .map(i -> "fed.k" + i + " = t.k" + i)
          .collect(Collectors.joining(" AND "));
    }

    /** Sets one variable of some rows by Spark. */
    private void update() {
      String name = any(stateless());
      Map<String, Update> distinct = new TreeMap<>();
      for (Update update : updates(List.of(name), 8)) {
        distinct.put(FeatureModel.text(update.key()), update);
      }
      log.append("\nmerge ").append(name).append(distinct.keySet());
      view(new ArrayList<>(distinct.values()), List.of(name));
      spark.sql(
          "MERGE INTO %s t USING fed ON %s WHEN MATCHED THEN UPDATE SET t.%s = fed.%s"
              .formatted(table.name(), matched(), name, name));
      for (Update update : distinct.values()) {
        if (model.contains(update.key())) {
          Map<String, Object> values = new HashMap<>();
          values.put(name, update.values().get(name));
          model.set(update.key(), values);
        }
      }
    }

    private void delete() {
      List<Update> updates = updates(List.of(), 1 + random.nextInt(keys.size()));
      log.append("\ndelete ").append(updates.size());
      view(updates, List.of());
      spark.sql(
          "DELETE FROM %s t WHERE EXISTS (SELECT 1 FROM fed WHERE %s)"
              .formatted(table.name(), matched()));
      updates.forEach(update -> model.remove(update.key()));
    }

    private void evict() {
      List<Update> updates = updates(List.of(), 1 + random.nextInt(keys.size()));
      log.append("\nevict ").append(updates.size());
      view(updates, List.of());
      String key = String.join(", ", keySchema("k").fieldNames());
      table.evict("(%s) IN (SELECT %s FROM fed)".formatted(key, key));
      updates.forEach(update -> model.remove(update.key()));
    }

    private void check() {
      SortedMap<String, List<String>> expected = model.texts(names);
      assertThat(texts(table)).as(log.toString()).isEqualTo(expected);
      versions.put(table.snapshot().getAsLong(), expected);
      checkGather();
    }

    private SortedMap<String, List<String>> texts(FeatureTable at) {
      int width = keyTypes.size();
      List<String> columns = new ArrayList<>(List.of(keySchema("k").fieldNames()));
      columns.addAll(names);
      SortedMap<String, List<String>> texts = new TreeMap<>();
      for (Row row : at.toDataset().selectExpr(columns.toArray(String[]::new)).collectAsList()) {
        List<Object> values = IntStream.range(0, row.length()).mapToObj(row::get).toList();
        List<String> before =
            texts.put(
                FeatureModel.text(values.subList(0, width)),
                values.subList(width, values.size()).stream().map(FeatureModel::text).toList());
        assertThat(before).as(log.toString()).isNull();
      }
      return texts;
    }

    /** Gathers keys of which some are in the table, some are not, and some are NULL. */
    private void checkGather() {
      List<String> wanted = random.nextInt(3) == 0 ? names : List.of(any(names));
      List<Row> requests = new ArrayList<>();
      List<List<String>> expected = new ArrayList<>();
      for (int i = random.nextInt(40); i >= 0; i--) {
        List<Object> key =
            new ArrayList<>(
                random.nextInt(3) > 0 ? any(keys) : keyTypes.stream().map(this::keyValue).toList());
        if (random.nextInt(10) == 0) {
          key.set(random.nextInt(key.size()), null);
        }
        List<Object> values = new ArrayList<>(key);
        values.add((long) requests.size());
        requests.add(RowFactory.create(values.toArray()));
        expected.add(model.gathered(key, wanted));
      }
      Dataset<Row> rows = frame(requests, keySchema("asked ").add("n", "bigint"));
      int width = keyTypes.size() + 1;
      List<List<String>> found = new ArrayList<>(Collections.nCopies(requests.size(), null));
      for (Row row :
          table
              .gather(
                  rows, List.of(keySchema("asked ").fieldNames()), wanted.toArray(String[]::new))
              .collectAsList()) {
        found.set(
            (int) row.getLong(width - 1),
            IntStream.range(width, row.length())
                .mapToObj(i -> FeatureModel.text(row.get(i)))
                .toList());
      }
      assertThat(found).as(log.toString()).isEqualTo(expected);
    }
  }
}
