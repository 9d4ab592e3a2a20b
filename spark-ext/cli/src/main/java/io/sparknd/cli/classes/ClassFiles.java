/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.classes;

import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The class files of a class path, sorted by source and then by path, so that the same class path
 * always gives the same list.
 *
 * @param sources number of jars and folders read
 * @param classes one class per name; the first wins
 * @param skipped counts of what was left out
 */
public record ClassFiles(int sources, List<ClassFile> classes, Skipped skipped) {

  /**
   * Counts of what was left out.
   *
   * @param sources class path entries that are neither jar nor folder
   * @param malformed {@code .class} files that are not valid class files
   * @param repeated classes whose name was already read
   */
  public record Skipped(int sources, int malformed, int repeated) {}

  /**
   * Returns the entries of {@code classPath} and this JVM's core library, which no class path
   * names.
   */
  public static List<Path> entries(String classPath) {
    Stream<Path> named =
        Pattern.compile(File.pathSeparator, Pattern.LITERAL)
            .splitAsStream(classPath)
            .filter(entry -> !entry.isEmpty())
            .map(Path::of);
    return Stream.concat(named, Stream.of(Path.of(URI.create("jrt:/java.base")))).toList();
  }

  /** Reads {@code entries} in parallel. Like a JVM, it skips entries that do not exist. */
  public static ClassFiles read(List<Path> entries) {
    List<Path> sorted =
        entries.stream()
            .filter(Files::exists)
            .distinct()
            .sorted(Comparator.comparing(ClassFiles::fileName).thenComparing(Path::toString))
            .toList();
    List<Optional<ClassSource>> read = sorted.parallelStream().map(ClassSource::read).toList();
    return merged(read);
  }

  private static String fileName(Path path) {
    return String.valueOf(path.getFileName());
  }

  private static ClassFiles merged(List<Optional<ClassSource>> read) {
    List<ClassSource> sources = read.stream().flatMap(Optional::stream).toList();
    Set<String> names = new HashSet<>();
    List<ClassFile> classes = new ArrayList<>();
    int found = 0;
    int malformed = 0;
    for (ClassSource source : sources) {
      source.classes().stream().filter(file -> names.add(file.name())).forEach(classes::add);
      found += source.classes().size();
      malformed += source.malformed();
    }
    Skipped skipped = new Skipped(read.size() - sources.size(), malformed, found - classes.size());
    return new ClassFiles(sources.size(), classes, skipped);
  }
}
