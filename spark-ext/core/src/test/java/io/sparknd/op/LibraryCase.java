/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparknd.docs.Page;
import io.sparknd.oracle.NaiveTensors;
import io.sparknd.tensor.Complex;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * A call of a library and what it returned; see the README of {@code resources/libraries}.
 *
 * @param library the name of the file
 * @param op the method of the library's class
 * @param name what the case is about
 * @param args the arguments that are not tensors
 * @param updates empty for a gather
 * @param expected empty if the library raised an error
 */
record LibraryCase(
    String library,
    String op,
    String name,
    JsonNode args,
    Tensor data,
    Tensor indices,
    Optional<Tensor> updates,
    Optional<Tensor> expected) {
  static final List<String> LIBRARIES = List.of("tensorflow", "torch", "jax", "numpy", "onnx");

  private static final Path FOLDER =
      Page.ROOT.resolve("spark-ext/core/src/test/resources/libraries");

  /** Returns the cases of all libraries. */
  static List<LibraryCase> all() {
    return LIBRARIES.stream().flatMap(library -> of(library).stream()).toList();
  }

  private static List<LibraryCase> of(String library) {
    ObjectMapper json = new ObjectMapper();
    List<LibraryCase> cases = new ArrayList<>();
    try {
      List<String> lines = Files.readAllLines(FOLDER.resolve(library + ".jsonl"));
      for (String line : lines.subList(1, lines.size())) { // the first has the versions
        JsonNode tensors = json.readTree(line);
        for (JsonNode result : tensors.path("results")) {
          cases.add(of(library, tensors, result));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return cases;
  }

  private static LibraryCase of(String library, JsonNode tensors, JsonNode result) {
    return new LibraryCase(
        library,
        result.path("op").asText(),
        tensors.path("case").asText(),
        result.path("args"),
        tensor(tensors, "data").orElseThrow(),
        tensor(tensors, "indices").orElseThrow(),
        tensor(tensors, "updates"),
        tensor(result, "expected"));
  }

  /** The word of argument {@code key}, or {@code other}. */
  String word(String key, String other) {
    return args.path(key).asText(other);
  }

  /** The number of argument {@code key}, or {@code other}. */
  int number(String key, int other) {
    return args.path(key).asInt(other);
  }

  /** The updates of a scatter. */
  Tensor given() {
    return updates.orElseThrow();
  }

  /** The same call for an engine that has no scalars: the tensor has at least one dimension. */
  LibraryCase withoutScalars() {
    boolean isTorch = library.equals("torch");
    Tensor vector = isTorch && data.shape().rank() == 0 ? data.reshape(Shape.of(1)) : data;
    return new LibraryCase(library, op, name, args, vector, indices, updates, expected);
  }

  /** The library and the method. */
  String operator() {
    return library + "." + op;
  }

  @Override
  public String toString() {
    return operator() + args + " of " + data.dtype() + ", " + name;
  }

  // ---- tensors such as float32[2,1] 1.5 nan

  private static Optional<Tensor> tensor(JsonNode from, String role) {
    return from.has(role) ? Optional.of(parse(from.path(role).asText())) : Optional.empty();
  }

  private static Tensor parse(String text) {
    List<String> words = Arrays.asList(text.split(" "));
    String head = words.get(0);
    int bracket = head.indexOf('[');
    DType dtype = DType.named(head.substring(0, bracket));
    String dims = head.substring(bracket + 1, head.length() - 1);
    long[] shape =
        dims.isEmpty()
            ? new long[0]
            : Arrays.stream(dims.split(",")).mapToLong(Long::parseLong).toArray();
    List<Object> elements =
        words.subList(1, words.size()).stream().map(word -> element(dtype, word)).toList();
    if (LongStream.of(shape).reduce(1, (a, b) -> a * b) != elements.size()) {
      throw new IllegalArgumentException(text);
    }
    return NaiveTensors.of(dtype, shape, elements);
  }

  private static Object element(DType dtype, String word) {
    return switch (dtype.kind()) {
      case BOOL -> word.equals("1");
      case SIGNED -> Long.valueOf(word);
      case UNSIGNED -> new BigInteger(word);
      case FLOAT ->
          dtype == DType.FLOAT64
              ? (Object) Double.valueOf(javaWord(word))
              : (Object) Float.valueOf(javaWord(word));
      case COMPLEX -> complex(dtype, word.split("\\|"));
      case STRING -> word.substring(1, word.length() - 1);
    };
  }

  private static Complex complex(DType dtype, String... parts) {
    return dtype == DType.COMPLEX64
        ? new Complex(Float.parseFloat(javaWord(parts[0])), Float.parseFloat(javaWord(parts[1])))
        : new Complex(
            Double.parseDouble(javaWord(parts[0])), Double.parseDouble(javaWord(parts[1])));
  }

  private static String javaWord(String word) {
    return word.replace("nan", "NaN").replace("inf", "Infinity");
  }
}
