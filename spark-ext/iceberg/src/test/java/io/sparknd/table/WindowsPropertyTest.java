/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.options.AsOf;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.FeatureUpdates;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.TimeWindows;
import io.sparknd.table.reduction.VariableReduction;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Tests windows against a model that reduces all events anew for each label, and tables that were
 * kept up batch by batch against one that had all events in one batch.
 */
@Tag("slow")
class WindowsPropertyTest {
  private static final Duration TILE = Duration.ofHours(6);
  private static final int[] TILES = {1, 4, 9};
  private static final TimeWindows WINDOWS =
      TimeWindows.of(TILE, TILE.multipliedBy(1), TILE.multipliedBy(4), TILE.multipliedBy(9));
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long BEGIN = Instant.parse("1969-12-29T00:00:00Z").toEpochMilli();
  private static final StructType EVENTS =
      new StructType()
          .add("number", "bigint")
          .add("user", "string")
          .add("seen", "timestamp")
          .add("n", "bigint")
          .add("x", "double")
          .add("mean", "double")
          .add("low", "float")
          .add("text", "string")
          .add("last", "array<bigint>");

  /** An event; a value that is null changes nothing. */
  private record Event(long number, String user, long millis, @Nullable Long n, double x) {
    long tile() {
      return Math.floorDiv(millis, TILE.toMillis());
    }

    Row row() {
      return RowFactory.create(
          number,
          user,
          new Timestamp(millis),
          n,
          x,
          x,
          (float) x,
          Long.toString(number),
          List.of(number));
    }
  }

  private final SparkSession spark = TestTables.spark();

  @Property(tries = 4, shrinking = ShrinkingMode.OFF)
  void windowsAreThoseOfTheEvents(@ForAll long seed) {
    Random random = new Random(seed);
    List<Event> events = events(random);
    FeatureTable kept = table(random);
    FeatureTable anew = table(random);
    int from = 0;
    while (from < events.size()) {
      int to = Math.min(events.size(), from + 1 + random.nextInt(80));
      scatter(kept, events.subList(from, to));
      if (random.nextInt(3) == 0) {
        kept.compact();
      }
      from = to;
    }
    scatter(anew, events);
    assertThat(rows(kept)).as("seed %d", seed).isEqualTo(rows(anew));
    check(kept, events, random, seed);
  }

  private FeatureTable table(Random random) {
    FeatureTableSpec spec =
        FeatureTableSpec.keyedBy("user", "string")
            .with(Variable.of("seen", "timestamp").reducedBy(VariableReduction.max()))
            .with(windowed("n", "bigint", VariableReduction.count()).withFill(0))
            .with(windowed("x", "double", VariableReduction.add()).withFill(-1))
            .with(windowed("mean", "double", VariableReduction.mean()).withFill(-1))
            .with(windowed("low", "float", VariableReduction.min()).withFill(-1))
            .with(windowed("text", "string", VariableReduction.add()).withFill("none"))
            .with(windowed("last", "array<bigint>", VariableReduction.lastN(3)))
            .withBuckets(1 + random.nextInt(4));
    return FeatureTable.create(spark, TestTables.name(), spec);
  }

  private static Variable windowed(String name, String type, VariableReduction reduction) {
    return Variable.of(name, type).reducedBy(reduction.over("seen", WINDOWS));
  }

  /** Returns events whose times go on, of which some are late, and some much too late. */
  private static List<Event> events(Random random) {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      long late = random.nextInt(20) == 0 ? 80 : random.nextInt(12);
      long hour = i / 2 - late;
      events.add(
          new Event(
              i,
              "u" + random.nextInt(1 + random.nextInt(12)),
              BEGIN + hour * HOUR + random.nextInt((int) HOUR),
              random.nextInt(4) == 0 ? null : 1L,
              value(random)));
    }
    return events;
  }

  private static double value(Random random) {
    return switch (random.nextInt(40)) {
      case 0 -> Double.NaN;
      case 1 -> -0.0;
      case 2 -> Double.POSITIVE_INFINITY;
      default -> random.nextGaussian() * Math.pow(10, random.nextInt(12));
    };
  }

  private void scatter(FeatureTable table, List<Event> events) {
    Dataset<Row> rows =
        spark.createDataFrame(events.stream().map(Event::row).toList(), EVENTS).repartition(3);
    table
        .write()
        .scatter(
            rows,
            FeatureUpdates.of("seen", "n", "x", "mean", "low", "text", "last").orderedBy("number"))
        .commit();
  }

  private static List<String> rows(FeatureTable table) {
    return table.toDataset().orderBy("user").toJSON().collectAsList();
  }

  private void check(FeatureTable table, List<Event> events, Random random, long seed) {
    List<Row> labels = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      long millis = BEGIN + (random.nextInt(260) - 60) * HOUR + random.nextInt(2) * 1_800_000L;
      labels.add(RowFactory.create(i, "u" + random.nextInt(14), new Timestamp(millis)));
    }
    StructType schema =
        new StructType().add("label", "int").add("user", "string").add("at", "timestamp");
    Map<Integer, Row> found =
        table
            .gatherAsOf(
                spark.createDataFrame(labels, schema),
                List.of("user"),
                AsOf.latest("at").orNullIfExpired())
            .collectAsList()
            .stream()
            .collect(Collectors.toMap(row -> row.getInt(0), row -> row));
    for (Row label : labels) {
      Row row = Objects.requireNonNull(found.get(label.getInt(0)));
      for (int tiles : TILES) {
        String window = tiles == 4 ? "_1d" : "_" + 6 * tiles + "h";
        Map<String, @Nullable Object> wanted =
            model(events, label.getString(1), label.getTimestamp(2).getTime(), tiles);
        wanted.forEach(
            (variable, value) ->
                assertThat(text(row.getAs(variable + window)))
                    .as("seed %d, %s%s of %s", seed, variable, window, label)
                    .isEqualTo(text(value)));
      }
    }
  }

  private static String text(@Nullable Object value) {
    return value instanceof scala.collection.Iterable<?> list
        ? list.mkString("[", ", ", "]")
        : String.valueOf(value);
  }

  /** Reduces the events of a window in tiles; all are null if tiles of it were evicted. */
  private static Map<String, @Nullable Object> model(
      List<Event> events, String user, long at, int tiles) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (String variable : List.of("n", "x", "mean", "low", "text", "last")) {
      List<Event> own =
          events.stream()
              .filter(event -> event.user().equals(user))
              .filter(event -> !variable.equals("n") || event.n() != null)
              .toList();
      long latest = own.stream().mapToLong(Event::tile).max().orElse(0);
      boolean areEvicted = own.stream().anyMatch(event -> event.tile() < latest - 9);
      long end = Math.floorDiv(at, TILE.toMillis());
      boolean isKnown = !areEvicted || end - tiles >= latest - 9;
      Map<Long, List<Event>> byTile =
          own.stream()
              .filter(event -> event.tile() >= end - tiles && event.tile() < end)
              .collect(Collectors.groupingBy(Event::tile, TreeMap::new, Collectors.toList()));
      values.put(variable, isKnown ? reduced(variable, List.copyOf(byTile.values())) : null);
    }
    return values;
  }

  private static @Nullable Object reduced(String variable, List<List<Event>> tiles) {
    List<Event> all = tiles.stream().flatMap(List::stream).toList();
    if (all.isEmpty()) {
      return switch (variable) {
        case "n" -> 0L;
        case "x", "mean" -> -1.0;
        case "low" -> -1F;
        case "text" -> "none";
        default -> null;
      };
    }
    List<Double> sums =
        tiles.stream()
            .map(tile -> tile.stream().map(Event::x).reduce(Double::sum).orElseThrow())
            .toList();
    double sum = sums.stream().reduce(Double::sum).orElseThrow();
    return switch (variable) {
      case "n" -> (long) all.size();
      case "x" -> sum;
      case "mean" -> sum / all.size();
      case "low" -> all.stream().map(event -> (float) event.x()).reduce(Math::min).orElseThrow();
      case "text" ->
          all.stream().map(event -> Long.toString(event.number())).collect(Collectors.joining());
      default ->
          all.subList(Math.max(0, all.size() - 3), all.size()).stream().map(Event::number).toList();
    };
  }
}
