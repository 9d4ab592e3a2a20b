/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.demo;

import io.sparknd.cli.classes.ClassFile;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Class files as index tuples and updates.
 *
 * @param axis the classes that the indices in {@code pairs} refer to
 * @param packages the packages of all class files, sorted
 * @param pairs int32 {@code [references, 2]}: the referring and the referenced class, one row per
 *     constant
 * @param callees int32 {@code [references, 1]}: the second column of {@code pairs}
 * @param packageOf int32 {@code [files, 1]}: the package of each class file
 * @param sizes int64 {@code [files]}: the bytes of each class file
 */
record ClassTensors(
    ClassAxis axis,
    List<String> packages,
    Tensor pairs,
    Tensor callees,
    Tensor packageOf,
    Tensor sizes) {

  /**
   * Builds the references between the classes of {@code axis}, and the sizes of all {@code
   * classes}.
   */
  static ClassTensors of(List<ClassFile> classes, ClassAxis axis) {
    int[] pairs = classes.stream().flatMap(file -> pairs(file, axis)).mapToInt(i -> i).toArray();
    TreeMap<String, Integer> packages = packages(classes);
    return new ClassTensors(
        axis,
        List.copyOf(packages.keySet()),
        Tensor.wrap(DType.INT32, Shape.of(pairs.length / 2, 2), pairs),
        Tensor.wrap(DType.INT32, Shape.of(pairs.length / 2, 1), everySecond(pairs)),
        column(classes.stream().mapToInt(file -> packages.get(file.packageName())).toArray()),
        Tensor.of(
            Shape.of(classes.size()), classes.stream().mapToLong(ClassFile::bytes).toArray()));
  }

  private static Stream<Integer> pairs(ClassFile file, ClassAxis axis) {
    if (!axis.contains(file.name())) {
      return Stream.empty();
    }
    int from = axis.index(file.name());
    return file.references().stream()
        .filter(axis::contains)
        .flatMap(to -> Stream.of(from, axis.index(to)));
  }

  private static TreeMap<String, Integer> packages(List<ClassFile> classes) {
    TreeMap<String, Integer> packages = new TreeMap<>();
    classes.forEach(file -> packages.put(file.packageName(), 0));
    int number = 0;
    for (var entry : packages.entrySet()) {
      entry.setValue(number++);
    }
    return packages;
  }

  private static int[] everySecond(int[] pairs) {
    int[] seconds = new int[pairs.length / 2];
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = pairs[2 * i + 1];
    }
    return seconds;
  }

  private static Tensor column(int[] values) {
    return Tensor.wrap(DType.INT32, Shape.of(values.length, 1), values);
  }

  /** Returns the number of references between classes of the axis. */
  int references() {
    return (int) pairs.shape().dim(0);
  }

  /** Returns an int32 one for each reference. */
  Tensor ones() {
    return Tensor.fill(DType.INT32, Shape.of(references()), 1);
  }
}
