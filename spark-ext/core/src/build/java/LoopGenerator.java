/* SPDX-License-Identifier: Apache-2.0 */
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Generates the classes that differ from a hand-written one only in their types: reads that class,
 * replaces its words, writes the copy. The build fails if the class lacks a word to replace.
 *
 * <p>{@code java LoopGenerator.java <src/main/java> <output folder>}
 */
final class LoopGenerator {
  /** What is generated, by the package that it is in. */
  private enum Family {
    LOOPS("io/sparknd/kernel/cpu", LoopGenerator::generateLoops),
    CODECS("io/sparknd/parquet", LoopGenerator::generateCodecs),
    LIST_FOLDS("io/sparknd/embedding/internal/lookup", LoopGenerator::generateListFolds);

    private final Path folder;
    private final Generation generation;

    Family(String folder, Generation generation) {
      this.folder = Path.of(folder);
      this.generation = generation;
    }

    private interface Generation {
      void run(LoopGenerator generator) throws IOException;
    }
  }

  private static final Type FLOAT = new Type("float", "Float", "Float");
  private static final Type DOUBLE = new Type("double", "Double", "Double");
  private static final Type INT = new Type("int", "Int", "Integer");
  private static final Type LONG = new Type("long", "Long", "Long");
  private static final Type SHORT = new Type("short", "Short", "Short");
  private static final Type BYTE = new Type("byte", "Byte", "Byte");
  private static final Type STRING = new Type("String", "String", "String");

  /** Common lengths of rows of embeddings and features. */
  private static final int[] FIXED_UNITS = {16, 32, 64, 128};

  private final Path sources;
  private final Path output;

  private LoopGenerator(Path sources, Path output) {
    this.sources = sources;
    this.output = output;
  }

  public static void main(String[] arguments) throws IOException {
    try {
      Path sources = Path.of(arguments[0]);
      Path output = Path.of(arguments[1]);
      for (Family family : Family.values()) {
        if (Files.isDirectory(sources.resolve(family.folder))) {
          family.generation.run(
              new LoopGenerator(sources.resolve(family.folder), output.resolve(family.folder)));
        }
      }
    } catch (IllegalStateException e) {
      System.err.println("LoopGenerator: " + e.getMessage());
      System.exit(1);
    }
  }

  private void generateLoops() throws IOException {
    Files.createDirectories(output);
    loops("FloatCopyLoop", FLOAT, DOUBLE, INT, LONG, SHORT, BYTE, STRING);
    loops("FloatReduceLoop", FLOAT, DOUBLE, INT, LONG);
    narrowLoops("FloatReduceLoop", FLOAT, SHORT, BYTE);
    loops("FloatRealReduceLoop", FLOAT, DOUBLE);
    loops("FloatScalarLoop", FLOAT, DOUBLE, INT, LONG);
    narrowLoops("FloatScalarLoop", FLOAT, SHORT, BYTE);
    loops("LongUnsignedReduceLoop", LONG, INT, SHORT, BYTE);
    loops("ComplexFloatReduceLoop", FLOAT, DOUBLE);
    write(
        read("Float16ReduceLoop")
            .replacing("Float16", "Bfloat16")
            .replacing("\\bfloat16", "bfloat16"));
    write(read("Float16VectorReduceLoop").replacing("Float16", "Bfloat16"));
    loops("FloatPrefetch", FLOAT, DOUBLE, INT, LONG, SHORT, BYTE);
    loops("FloatVectorCopyLoop", FLOAT, DOUBLE, INT, LONG, SHORT, BYTE);
    loops("FloatVectorReduceLoop", FLOAT, DOUBLE, INT, LONG, SHORT, BYTE);
    fixedLoops("FloatVectorCopyLoop", FLOAT, DOUBLE, INT, LONG);
    fixedLoops("FloatVectorReduceLoop", FLOAT, DOUBLE, INT, LONG);
    loops("FloatVectorRealReduceLoop", FLOAT, DOUBLE);
    loops("LongVectorUnsignedReduceLoop", LONG, INT, SHORT, BYTE);
  }

  private void generateCodecs() throws IOException {
    Files.createDirectories(output);
    codec(INT, "INT32", "Codec of int32.");
    codec(FLOAT, "FLOAT", "Codec of float32 and of the parts of complex64.");
    codec(DOUBLE, "DOUBLE", "Codec of float64 and of the parts of complex128.");
  }

  private void generateListFolds() throws IOException {
    Files.createDirectories(output);
    write(read("FloatListFold").replacing("float32", "float64").retyped(FLOAT, DOUBLE));
  }

  private void codec(Type to, String physical, String summary) throws IOException {
    write(
        read("LongCodec")
            .replacing("Codec of int64[^*]*\\.", summary)
            .replacing("\\bINT64\\b", physical)
            .replacing("(get|put)Long\\(", "$1" + to.part + "(")
            .replacing("public final class", "final class")
            .retyped(LONG, to));
  }

  private void loops(String name, Type from, Type... types) throws IOException {
    for (Type to : types) {
      write(read(name).retyped(from, to));
    }
  }

  /** Loops for slices of one length each, which the compiler can then unroll. */
  private void fixedLoops(String name, Type from, Type... others) throws IOException {
    for (int units : FIXED_UNITS) {
      Source fixed =
          read(name)
              .replacing("\\b" + name + "\\b", name + units)
              .replacing("last = units - WIDTH", "last = " + units + " - WIDTH");
      write(fixed);
      for (Type to : others) {
        write(fixed.retyped(from, to));
      }
    }
  }

  /** Casts the int results of Math.min and Math.max of bytes and shorts. */
  private void narrowLoops(String name, Type from, Type... types) throws IOException {
    for (Type to : types) {
      write(read(name).retyped(from, to).replacing("return Math", "return (" + to.name + ") Math"));
    }
  }

  private Source read(String name) throws IOException {
    Path file = sources.resolve(name + ".java");
    if (!Files.exists(file)) {
      throw new IllegalStateException(file + " does not exist");
    }
    return new Source(name, name, Files.readString(file));
  }

  /** Writes a file only if its text changes, so that nothing is compiled again without need. */
  private void write(Source source) throws IOException {
    Path file = output.resolve(source.name + ".java");
    String text =
        source.text.replaceFirst(
            "\\*/\n",
            "*/\n// Generated from " + source.template + ".java by LoopGenerator.java.\n");
    if (!Files.exists(file) || !Files.readString(file).equals(text)) {
      Files.writeString(file, text);
    }
  }

  /** A Java type: its keyword, its name inside other names, and its class. */
  private record Type(String name, String part, String box) {}

  /** The text of one class. */
  private record Source(String template, String name, String text) {
    Source retyped(Type from, Type to) {
      return replacing("\\b" + from.name + "\\b", to.name)
          .replacing(from.part + "(?=[A-Z])", to.part)
          .replacingAny("\\b" + from.box + "\\b", to.box);
    }

    Source replacing(String regex, String replacement) {
      if (!Pattern.compile(regex).matcher(text).find()) {
        throw new IllegalStateException(
            "%s.java has no '%s' to replace by '%s'".formatted(template, regex, replacement));
      }
      return replacingAny(regex, replacement);
    }

    private Source replacingAny(String regex, String replacement) {
      return new Source(
          template, name.replaceAll(regex, replacement), text.replaceAll(regex, replacement));
    }
  }
}
