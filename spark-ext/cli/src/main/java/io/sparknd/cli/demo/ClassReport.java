/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.demo;

import io.sparknd.cli.classes.ClassFiles;
import io.sparknd.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Prints the class files and the results of scatter and gather on them. */
final class ClassReport {
  private static final int LINES = 10;
  private static final int PACKAGES = 5;
  private static final int NAMES = 3;

  private final TextReport page;
  private final ClassResults job;
  private final ClassAxis axis;

  ClassReport(TextReport page, ClassResults job) {
    this.page = page;
    this.job = job;
    this.axis = job.input().axis();
  }

  /** Prints what was read, before anything runs. */
  static void input(TextReport page, ClassFiles files, ClassTensors tensors) {
    ClassFiles.Skipped skipped = files.skipped();
    page.heading("Input: the class files of the class path and of the JVM's java.base");
    page.line(
        "%s jars and folders, %s classes in %s packages"
            .formatted(
                TextReport.number(files.sources()),
                TextReport.number(files.classes().size()),
                TextReport.number(tensors.packages().size())));
    page.line(
        "skipped: %s entries that are no jars, %s malformed class files, %s duplicate classes"
            .formatted(
                TextReport.number(skipped.sources()),
                TextReport.number(skipped.malformed()),
                TextReport.number(skipped.repeated())));
    page.line(
        "%s references to fields and methods of other classes"
            .formatted(TextReport.number(references(files))));
    page.line(
        "%s of them among the %s most referenced classes"
            .formatted(
                TextReport.number(tensors.references()), TextReport.number(tensors.axis().size())));
  }

  private static long references(ClassFiles files) {
    return files.classes().stream().mapToLong(file -> file.references().size()).sum();
  }

  /** Prints the results. */
  void results() {
    duplicates();
    mostReferred();
    topPairs();
    wellKnown();
    packages();
  }

  private void duplicates() {
    int references = job.input().references();
    long pairs = Arrays.stream(ints(job.counts())).filter(count -> count > 0).count();
    page.heading("Duplicates");
    page.line(
        "%s index tuples for %s pairs of classes: %s are duplicates"
            .formatted(
                TextReport.number(references),
                TextReport.number(pairs),
                TextReport.share(references - pairs, references)));
  }

  private void mostReferred() {
    int[] referred = ints(job.referred());
    page.heading("Most referenced classes (scatter-add)");
    page.table(
        Arrays.stream(LargestValues.of(LINES, referred.length, i -> referred[i]))
            .mapToObj(i -> List.of(TextReport.number(referred[i]), name(i)))
            .toList());
  }

  private void topPairs() {
    int[] counts = ints(job.counts());
    page.heading("Pairs of classes with the most references (scatter-add)");
    page.table(
        Arrays.stream(LargestValues.of(LINES, counts.length, i -> counts[i]))
            .filter(i -> counts[i] > 0)
            .mapToObj(
                i ->
                    List.of(
                        TextReport.number(counts[i]),
                        name(i / axis.size()),
                        "to",
                        name(i % axis.size())))
            .toList());
  }

  private void wellKnown() {
    int[] rows = ints(job.rows());
    int[] callers = ints(job.callers());
    int known = job.wellKnown().size();
    page.heading("Well-known classes: references to them, and from them (gather)");
    for (int k = 0; k < known; k++) {
      int column = k;
      int row = k * axis.size();
      page.line(dotted(job.wellKnown().get(k)));
      page.line("  from  " + names(i -> callers[i * known + column]));
      page.line("  to    " + names(i -> rows[row + i]));
    }
  }

  /** Returns the classes with the highest counts. */
  private String names(IntToLongFunction counts) {
    String names =
        Arrays.stream(LargestValues.of(NAMES, axis.size(), counts))
            .filter(i -> counts.applyAsLong(i) > 0)
            .mapToObj(i -> name(i) + " " + TextReport.number(counts.applyAsLong(i)))
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "none of these classes" : names;
  }

  private void packages() {
    long[] largest = (long[]) job.largest().collected().array();
    long[] smallest = (long[]) job.smallest().collected().array();
    page.heading("Packages with the largest class file (scatter-max)");
    sizes(largest, i -> largest[i]);
    page.heading("Packages with the smallest class file (scatter-min)");
    sizes(smallest, i -> -smallest[i]);
  }

  private void sizes(long[] bytes, IntToLongFunction rank) {
    page.table(
        IntStream.of(LargestValues.of(PACKAGES, bytes.length, rank))
            .mapToObj(i -> List.of(TextReport.number(bytes[i]) + " bytes", packageName(i)))
            .toList());
  }

  private String packageName(int index) {
    String name = dotted(job.input().packages().get(index));
    return name.isEmpty() ? "(the unnamed package)" : name;
  }

  private String name(int index) {
    return dotted(axis.name(index));
  }

  static String dotted(String name) {
    return name.replace('/', '.');
  }

  private static int[] ints(CheckedTensor result) {
    Tensor tensor = result.collected();
    return (int[]) tensor.array();
  }
}
