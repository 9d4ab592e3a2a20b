/* SPDX-License-Identifier: Apache-2.0 */
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes the lanes of {@code io.sparknd.kernel.cpu} that differ from a hand-written one only in
 * their types: reads that class, replaces its words, writes the copy. A word that should be there
 * and is not fails the build.
 *
 * <p>{@code java LoopGenerator.java <src/main/java> <output folder>}
 */
final class LoopGenerator {
  private static final Path LANES = Path.of("io", "sparknd", "kernel", "cpu");

  private static final Type FLOAT = new Type("float", "Float", "Float");
  private static final Type DOUBLE = new Type("double", "Double", "Double");
  private static final Type INT = new Type("int", "Int", "Integer");
  private static final Type LONG = new Type("long", "Long", "Long");
  private static final Type SHORT = new Type("short", "Short", "Short");
  private static final Type BYTE = new Type("byte", "Byte", "Byte");
  private static final Type STRING = new Type("String", "String", "String");

  /** What rows of embeddings and features mostly are. */
  private static final int[] FIXED_UNITS = {16, 32, 64, 128};

  private final Path sources;
  private final Path output;

  private LoopGenerator(Path sources, Path output) {
    this.sources = sources.resolve(LANES);
    this.output = output.resolve(LANES);
  }

  public static void main(String[] arguments) throws IOException {
    try {
      new LoopGenerator(Path.of(arguments[0]), Path.of(arguments[1])).generate();
    } catch (IllegalStateException e) {
      System.err.println("LoopGenerator: " + e.getMessage());
      System.exit(1);
    }
  }

  private void generate() throws IOException {
    Files.createDirectories(output);
    lanes("FloatCopyLoop", FLOAT, DOUBLE, INT, LONG, SHORT, BYTE, STRING);
    lanes("FloatReduceLoop", FLOAT, DOUBLE, INT, LONG);
    narrowLanes("FloatReduceLoop", FLOAT, SHORT, BYTE);
    lanes("FloatRealReduceLoop", FLOAT, DOUBLE);
    lanes("FloatScalarLoop", FLOAT, DOUBLE, INT, LONG);
    narrowLanes("FloatScalarLoop", FLOAT, SHORT, BYTE);
    lanes("LongUnsignedReduceLoop", LONG, INT, SHORT, BYTE);
    lanes("ComplexFloatReduceLoop", FLOAT, DOUBLE);
    write(
        read("Float16ReduceLoop")
            .replacing("Float16", "Bfloat16")
            .replacing("\\bfloat16", "bfloat16"));
    lanes("FloatVectorCopyLoop", FLOAT, DOUBLE, INT, LONG, SHORT, BYTE);
    lanes("FloatVectorReduceLoop", FLOAT, DOUBLE, INT, LONG, SHORT, BYTE);
    fixedLanes("FloatVectorCopyLoop", FLOAT, DOUBLE, INT, LONG);
    fixedLanes("FloatVectorReduceLoop", FLOAT, DOUBLE, INT, LONG);
    lanes("FloatVectorRealReduceLoop", FLOAT, DOUBLE);
    lanes("LongVectorUnsignedReduceLoop", LONG, INT, SHORT, BYTE);
  }

  private void lanes(String name, Type from, Type... types) throws IOException {
    for (Type to : types) {
      write(read(name).retyped(from, to));
    }
  }

  /** Lanes for slices of one length each, which the compiler can then unroll. */
  private void fixedLanes(String name, Type from, Type... others) throws IOException {
    for (int units : FIXED_UNITS) {
      Lane fixed =
          read(name)
              .replacing("\\b" + name + "\\b", name + units)
              .replacing("last = units - WIDTH", "last = " + units + " - WIDTH");
      write(fixed);
      for (Type to : others) {
        write(fixed.retyped(from, to));
      }
    }
  }

  /** Math.min and Math.max of a byte or a short give an int. */
  private void narrowLanes(String name, Type from, Type... types) throws IOException {
    for (Type to : types) {
      write(read(name).retyped(from, to).replacing("return Math", "return (" + to.name + ") Math"));
    }
  }

  private Lane read(String name) throws IOException {
    Path file = sources.resolve(name + ".java");
    if (!Files.exists(file)) {
      throw new IllegalStateException(file + " is not there to make other lanes from");
    }
    return new Lane(name, name, Files.readString(file));
  }

  /** Leaves a file alone that already says the same, so that nothing is compiled again for it. */
  private void write(Lane lane) throws IOException {
    Path file = output.resolve(lane.name + ".java");
    String text =
        lane.text.replaceFirst(
            "\\*/\n", "*/\n// Made from " + lane.template + ".java by LoopGenerator.java.\n");
    if (!Files.exists(file) || !Files.readString(file).equals(text)) {
      Files.writeString(file, text);
    }
  }

  /** A Java type: its keyword, its name inside other names, and its class. */
  private record Type(String name, String part, String box) {}

  /** The text of one lane. */
  private record Lane(String template, String name, String text) {
    Lane retyped(Type from, Type to) {
      return replacing("\\b" + from.name + "\\b", to.name)
          .replacing(from.part + "(?=[A-Z])", to.part)
          .replacingAny("\\b" + from.box + "\\b", to.box);
    }

    Lane replacing(String regex, String replacement) {
      if (!Pattern.compile(regex).matcher(text).find()) {
        throw new IllegalStateException(
            "%s.java has no '%s' to replace by '%s'".formatted(template, regex, replacement));
      }
      return replacingAny(regex, replacement);
    }

    private Lane replacingAny(String regex, String replacement) {
      String quoted = Matcher.quoteReplacement(replacement);
      return new Lane(template, name.replaceAll(regex, quoted), text.replaceAll(regex, quoted));
    }
  }
}
