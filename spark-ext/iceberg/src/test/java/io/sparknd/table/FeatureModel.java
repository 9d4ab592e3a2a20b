/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import io.sparknd.table.options.FeatureUpdates;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.sql.Date;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A naive model of a feature table: the values of each key in a map. */
final class FeatureModel {
  /** The variable that orders updates of {@code last}, {@code first} and {@code lastN}. */
  static final String ORDER = "at";

  private static final int RECENT = 3;
  private static final String[] WORDS = {"", "a", "b", "\0", "\u00e4", "\ud83d\ude00", "z z"};

  /**
   * A variable of the table and how the model reduces it.
   *
   * @param input SQL type of the column with updates
   * @param fold the new value and state of an update
   * @param fill the value of what was never written; null if there is none
   */
  record Modelled(
      Variable variable, String input, Values values, Fold fold, @Nullable Object fill) {
    String name() {
      return variable.name();
    }

    boolean needsOrder() {
      return variable.reduction().flatMap(VariableReduction::orderBy).isPresent();
    }

    /** Returns whether the variable has columns of state. */
    boolean hasState() {
      return needsOrder() || name().equals("rating");
    }
  }

  /** Returns random values of a type. */
  interface Values {
    Object any(Random random);
  }

  /** Folds an update, which is not null, with its order into what is stored. */
  interface Fold {
    Cell apply(@Nullable Cell stored, Object update, @Nullable Integer order);
  }

  /** A stored value and the state of its reduction. */
  record Cell(Object value, @Nullable Object state) {}

  /** A row of updates: the key, the values by variable, and its order. */
  record Update(List<Object> key, Map<String, Object> values) {}

  private final Map<String, Modelled> variables;
  private final TreeMap<String, Map<String, Cell>> rows = new TreeMap<>();

  FeatureModel(List<Modelled> variables) {
    this.variables = new TreeMap<>();
    variables.forEach(variable -> this.variables.put(variable.name(), variable));
  }

  /** Sets what was never written of the keys of updates to the fill values. */
  private void fill(List<Update> updates) {
    for (Update update : updates) {
      Map<String, Cell> cells = rows.computeIfAbsent(text(update.key()), key -> new HashMap<>());
      for (Modelled variable : variables.values()) {
        if (variable.fill() != null) {
          cells.putIfAbsent(variable.name(), new Cell(variable.fill(), null));
        }
      }
    }
  }

  /** Applies the rows of a stage in their order. */
  void apply(List<Update> updates, List<String> changed, FeatureUpdates how) {
    fill(updates);
    for (Update update : updates) {
      Map<String, Cell> cells = rows.computeIfAbsent(text(update.key()), key -> new HashMap<>());
      Integer order = (Integer) update.values().get(ORDER);
      for (String name : changed) {
        Object value = update.values().get(name);
        if (value != null) {
          Fold fold =
              how.reduction().isPresent() ? FeatureModel::replaced : variables.get(name).fold();
          cells.put(name, fold.apply(cells.get(name), value, order));
        }
      }
    }
  }

  /** Sets values as SQL does: without state, and also to NULL. */
  void set(List<Object> key, Map<String, Object> values) {
    Map<String, Cell> cells = rows.computeIfAbsent(text(key), absent -> new HashMap<>());
    values.forEach(
        (name, value) -> {
          if (value == null) {
            cells.remove(name);
          } else {
            cells.put(name, new Cell(value, null));
          }
        });
  }

  boolean contains(List<Object> key) {
    return rows.containsKey(text(key));
  }

  void remove(List<Object> key) {
    rows.remove(text(key));
  }

  /** Returns each key with the text of its values, in the order of the variables' names. */
  SortedMap<String, List<String>> texts(List<String> names) {
    TreeMap<String, List<String>> texts = new TreeMap<>();
    rows.forEach(
        (key, cells) -> texts.put(key, names.stream().map(name -> text(cells.get(name))).toList()));
    return texts;
  }

  /** Returns what a gather of a key returns. */
  List<String> gathered(List<Object> key, List<String> names) {
    Map<String, Cell> cells = rows.getOrDefault(text(key), Map.of());
    return names.stream()
        .map(
            name ->
                cells.containsKey(name) ? text(cells.get(name)) : text(variables.get(name).fill()))
        .toList();
  }

  private static String text(@Nullable Cell cell) {
    return cell == null ? "null" : text(cell.value());
  }

  /** Returns a value, or a key, as text that differs for different values. */
  static String text(@Nullable Object value) {
    if (value instanceof byte[] bytes) {
      return "X" + Arrays.toString(bytes);
    }
    if (value instanceof List<?> list) {
      return list.stream().map(FeatureModel::text).toList().toString();
    }
    if (value instanceof scala.collection.Iterable<?> items) {
      return text(scala.jdk.javaapi.CollectionConverters.asJava(items.toSeq()));
    }
    return value instanceof String string ? "'" + string + "'" : String.valueOf(value);
  }

  /** Returns all variables that the tests know. */
  static List<Modelled> all() {
    List<Modelled> all = new ArrayList<>(numbers());
    all.addAll(others());
    all.addAll(ordered());
    return all;
  }

  private static List<Modelled> numbers() {
    Values longs = random -> random.nextInt(9) == 0 ? random.nextLong() : random.nextInt(50) - 9L;
    Values doubles = FeatureModel::number;
    Values floats = random -> (float) number(random);
    return List.of(
        of("total", "bigint", VariableReduction.add(), longs, (a, b) -> (long) a + (long) b, 0L),
        of("least", "bigint", VariableReduction.min(), longs, (a, b) -> lesser(a, b), null),
        of("most", "bigint", VariableReduction.max(), longs, (a, b) -> greater(a, b), null),
        new Modelled(
            Variable.of("hits", "bigint").reducedBy(VariableReduction.count()),
            "bigint",
            longs,
            (cell, update, order) -> new Cell(cell == null ? 1L : (long) cell.value() + 1, null),
            null),
        of("latest", "bigint", VariableReduction.update(), longs, (a, b) -> b, 7L),
        of(
            "amount",
            "double",
            VariableReduction.add(),
            doubles,
            (a, b) -> (double) a + (double) b,
            null),
        of(
            "weight",
            "float",
            VariableReduction.add(),
            floats,
            (a, b) -> (float) a + (float) b,
            -1.5F),
        of(
            "power",
            "float",
            VariableReduction.max(),
            floats,
            (a, b) -> Math.max((float) a, (float) b),
            null),
        of(
            "low",
            "double",
            VariableReduction.min(),
            doubles,
            (a, b) -> Math.min((double) a, (double) b),
            null),
        new Modelled(
            Variable.of("rating", "double").reducedBy(VariableReduction.mean()),
            "double",
            doubles,
            FeatureModel::mean,
            null),
        of(
            "paid",
            "decimal(10,2)",
            VariableReduction.add(),
            FeatureModel::decimal,
            (a, b) -> ((BigDecimal) a).add((BigDecimal) b),
            null),
        of(
            "price",
            "decimal(10,2)",
            VariableReduction.min(),
            FeatureModel::decimal,
            (a, b) -> lesser(a, b),
            new BigDecimal("3.50")));
  }

  private static List<Modelled> others() {
    Values times =
        random -> {
          Timestamp time = new Timestamp((random.nextInt(100) - 50) * 86_400_000L * 365);
          time.setNanos(random.nextInt(1_000_000) * 1000);
          return time;
        };
    Values dates = random -> Date.valueOf("20" + (10 + random.nextInt(80)) + "-02-03");
    Values bits = Random::nextBoolean;
    return List.of(
        of("seen", "timestamp", VariableReduction.max(), times, (a, b) -> greater(a, b), null),
        of("born", "date", VariableReduction.min(), dates, (a, b) -> lesser(a, b), null),
        of("active", "boolean", VariableReduction.update(), bits, (a, b) -> b, true),
        of(
            "tag",
            "string",
            VariableReduction.max(),
            FeatureModel::word,
            (a, b) -> Arrays.compareUnsigned(utf8(a), utf8(b)) >= 0 ? a : b,
            null),
        of(
            "trail",
            "string",
            VariableReduction.add(),
            FeatureModel::word,
            (a, b) -> "" + a + b,
            "none"),
        new Modelled(
            Variable.of("taste", DType.FLOAT32, 3).reducedBy(VariableReduction.add()).withFill(0.5),
            "array<float>",
            FeatureModel::slice,
            plain((a, b) -> sum((List<?>) a, (List<?>) b)),
            List.of(0.5F, 0.5F, 0.5F)),
        new Modelled(
            Variable.of("packed", DType.FLOAT32, 3)
                .binary()
                .reducedBy(VariableReduction.add())
                .withFill(-2),
            "binary",
            random -> packed(finite(random)),
            plain((a, b) -> packed(sum(unpacked((byte[]) a), unpacked((byte[]) b)))),
            packed(List.of(-2F, -2F, -2F))),
        new Modelled(
            Variable.of("recent", "array<string>").reducedBy(VariableReduction.lastN(RECENT)),
            "array<string>",
            FeatureModel::words,
            plain((a, b) -> last(joined((List<?>) a, ((List<?>) a).size(), (List<?>) b))),
            null));
  }

  private static List<Modelled> ordered() {
    Values orders = random -> random.nextInt(30) - 10;
    return List.of(
        of(ORDER, "int", VariableReduction.max(), orders, (a, b) -> greater(a, b), null),
        new Modelled(
            Variable.of("city", "string").reducedBy(VariableReduction.last(ORDER)),
            "string",
            FeatureModel::word,
            (cell, update, order) ->
                cell == null || cell.state() == null || order >= (int) cell.state()
                    ? new Cell(update, order)
                    : cell,
            null),
        new Modelled(
            Variable.of("origin", "string").reducedBy(VariableReduction.first(ORDER)),
            "string",
            FeatureModel::word,
            (cell, update, order) ->
                cell == null || cell.state() == null || order < (int) cell.state()
                    ? new Cell(update, order)
                    : cell,
            null),
        new Modelled(
            Variable.of("newest", "array<string>")
                .reducedBy(VariableReduction.lastN(RECENT, ORDER)),
            "array<string>",
            FeatureModel::words,
            FeatureModel::newest,
            null));
  }

  private interface Plain {
    Object apply(Object stored, Object update);
  }

  private static Fold plain(Plain fold) {
    return (cell, update, order) ->
        new Cell(cell == null ? update : fold.apply(cell.value(), update), null);
  }

  private static Modelled of(
      String name,
      String type,
      VariableReduction reduction,
      Values values,
      Plain fold,
      @Nullable Object fill) {
    Variable variable = Variable.of(name, type).reducedBy(reduction);
    return new Modelled(
        fill == null ? variable : variable.withFill(fill), type, values, plain(fold), fill);
  }

  private static Cell replaced(@Nullable Cell stored, Object update, @Nullable Integer order) {
    return new Cell(update, null);
  }

  private static Cell mean(@Nullable Cell stored, Object update, @Nullable Integer order) {
    double[] state = stored == null ? null : (double[]) stored.state();
    double sum = state == null ? (double) update : state[0] + (double) update;
    double count = state == null ? 1 : state[1] + 1;
    return new Cell(sum / count, new double[] {sum, count});
  }

  private static Cell newest(@Nullable Cell stored, Object update, @Nullable Integer order) {
    List<?> values = stored == null ? List.of() : (List<?>) stored.value();
    List<?> orders = stored == null ? List.of() : (List<?>) stored.state();
    int at = orders.size();
    while (at > 0 && (int) orders.get(at - 1) > order) {
      at--;
    }
    List<Object> repeated = new ArrayList<>();
    ((List<?>) update).forEach(element -> repeated.add(order));
    return new Cell(last(joined(values, at, (List<?>) update)), last(joined(orders, at, repeated)));
  }

  private static List<Object> joined(List<?> list, int at, List<?> more) {
    List<Object> joined = new ArrayList<>(list);
    joined.addAll(at, more);
    return joined;
  }

  private static List<Object> last(List<Object> all) {
    return all.subList(Math.max(0, all.size() - RECENT), all.size());
  }

  @SuppressWarnings("unchecked")
  private static Object lesser(Object one, Object two) {
    return ((Comparator<Object>) (Object) Comparator.naturalOrder()).compare(two, one) < 0
        ? two
        : one;
  }

  @SuppressWarnings("unchecked")
  private static Object greater(Object one, Object two) {
    return ((Comparator<Object>) (Object) Comparator.naturalOrder()).compare(two, one) > 0
        ? two
        : one;
  }

  private static double number(Random random) {
    return switch (random.nextInt(30)) {
      case 0 -> Double.NaN;
      case 1 -> -0.0;
      case 2 -> 0.0;
      case 3 -> Double.POSITIVE_INFINITY;
      case 4 -> Double.NEGATIVE_INFINITY;
      default -> random.nextGaussian();
    };
  }

  private static BigDecimal decimal(Random random) {
    return BigDecimal.valueOf(random.nextInt(2_000_000) - 1_000_000, 2);
  }

  private static String word(Random random) {
    return WORDS[random.nextInt(WORDS.length)] + WORDS[random.nextInt(WORDS.length)];
  }

  private static List<Object> words(Random random) {
    List<Object> words = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      words.add(random.nextInt(6) == 0 ? null : word(random));
    }
    return words;
  }

  private static byte[] utf8(Object text) {
    return text.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  private static List<Object> slice(Random random) {
    List<Object> slice = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      slice.add((float) number(random));
    }
    return slice;
  }

  /** Returns a slice without NaNs, whose bits are not defined by a sum, or what sums to them. */
  private static List<Object> finite(Random random) {
    List<Object> slice = slice(random);
    slice.replaceAll(each -> Float.isFinite((float) each) ? each : -0F);
    return slice;
  }

  private static List<Object> sum(List<?> one, List<?> two) {
    List<Object> sum = new ArrayList<>();
    for (int i = 0; i < one.size(); i++) {
      sum.add((float) one.get(i) + (float) two.get(i));
    }
    return sum;
  }

  private static byte[] packed(List<?> slice) {
    ByteBuffer bytes = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
    slice.forEach(element -> bytes.putFloat((float) element));
    return bytes.array();
  }

  private static List<Object> unpacked(byte[] bytes) {
    ByteBuffer floats = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    return List.of(floats.getFloat(), floats.getFloat(), floats.getFloat());
  }
}
