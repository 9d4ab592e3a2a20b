/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.kernel.Kernels;
import io.sparknd.oracle.NaiveEngine;
import io.sparknd.oracle.Refusal;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the classes that are named for libraries with what the libraries themselves gave. */
class LibraryResultsTest {
  private static final List<LibraryCase> CASES = LibraryCase.all();
  private static final Kernels KERNELS = Kernels.auto();

  private static final Map<String, List<Class<?>>> CLASSES =
      Map.of(
          "tensorflow", List.of(TensorFlow.class),
          "torch", List.of(PyTorch.class),
          "jax", List.of(Jax.class, Jax.At.class),
          "numpy", List.of(NumPy.class),
          "onnx", List.of(Onnx.class));

  /** Methods that take the reduction of others as an argument. */
  private static final Set<String> GENERAL =
      Set.of("tensorflow.tensorScatterNd", "numpy.at", "jax.update");

  static Stream<String> operators() {
    return CASES.stream().map(LibraryCase::operator).distinct();
  }

  @ParameterizedTest
  @MethodSource("operators")
  void isTheResultOfTheLibrary(String operator) {
    List<String> differences =
        of(operator)
            .filter(c -> LibraryDifference.all().noneMatch(known -> known.covers(c)))
            .flatMap(c -> difference(c).stream())
            .toList();
    assertThat(differences).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("io.sparknd.op.LibraryDifference#all")
  void knownDifferencesAreThere(LibraryDifference known) {
    List<LibraryCase> covered = CASES.stream().filter(known::covers).toList();
    assertThat(covered).isNotEmpty().allMatch(c -> difference(c).isPresent());
  }

  @Test
  void everyOperatorHasCases() {
    Set<String> methods = new TreeSet<>();
    CLASSES.forEach((library, classes) -> methods.addAll(methods(library, classes)));
    methods.removeAll(GENERAL);
    assertThat(methods).hasSizeGreaterThan(30);
    assertThat(operators().toList()).containsAll(methods);
  }

  @ParameterizedTest
  @MethodSource("operators")
  void everyOperatorHasCasesOfManyDTypes(String operator) {
    assertThat(of(operator).map(c -> c.data().dtype()).distinct()).hasSizeGreaterThanOrEqualTo(5);
    assertThat(of(operator).map(LibraryCase::name)).contains("duplicates");
  }

  private static Stream<LibraryCase> of(String operator) {
    return CASES.stream().filter(c -> c.operator().equals(operator));
  }

  private static Set<String> methods(String library, List<Class<?>> classes) {
    return classes.stream()
        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .filter(LibraryResultsTest::isCall)
        .map(method -> library + "." + method.getName())
        .collect(Collectors.toSet());
  }

  private static boolean isCall(Method method) {
    return method.getReturnType() == ScatterCall.class
        || method.getReturnType() == GatherCall.class;
  }

  private static Optional<String> difference(LibraryCase c) {
    String expected = c.expected().map(LibraryResultsTest::text).orElse("error");
    String given = outcome(() -> run(c, KERNELS::scatter, KERNELS::gather));
    LibraryCase plain = c.withoutScalars();
    String naive = outcome(() -> run(plain, NaiveEngine::scatter, NaiveEngine::gather));
    assertThat(withoutShape(given)).as("naive engine of %s", c).isEqualTo(withoutShape(naive));
    return given.equals(expected)
        ? Optional.empty()
        : Optional.of("\n%s\n  library %s\n  SparkND %s".formatted(c, expected, given));
  }

  private static Tensor run(
      LibraryCase c,
      BiFunction<Tensor, ScatterCall, Tensor> scatter,
      BiFunction<Tensor, GatherCall, Tensor> gather) {
    return c.updates().isPresent()
        ? scatter.apply(c.data(), LibraryCalls.SCATTERS.get(c.operator()).apply(c))
        : gather.apply(c.data(), LibraryCalls.GATHERS.get(c.operator()).apply(c));
  }

  private static String outcome(Supplier<Tensor> call) {
    try {
      return text(call.get());
    } catch (SparkNdException | Refusal e) {
      return "error";
    }
  }

  /** The naive engine takes vectors of one element for PyTorch's scalars. */
  private static String withoutShape(String text) {
    return text.replaceFirst(" .*] \\[", " [");
  }

  /** The same for all NaNs; 0.0 and -0.0 differ. */
  private static String text(Tensor tensor) {
    return tensor.dtype() + " " + tensor.shape() + " " + TensorAssert.elements(tensor);
  }
}
