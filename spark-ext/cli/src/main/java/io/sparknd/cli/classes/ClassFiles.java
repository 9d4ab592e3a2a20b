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
 * The class files of a class path: sources by name, and within one by path, so that the same class
 * path always gives the same list.
 *
 * @param sources jars and folders that were read
 * @param classes each name once: of several the first
 * @param skipped what was left out
 */
public record ClassFiles(int sources, List<ClassFile> classes, Skipped skipped) {

  /**
   * What was left out.
   *
   * @param sources entries of the class path that are neither jar nor folder
   * @param malformed files in them that are no class files
   * @param repeated classes of a name that an earlier one had
   */
  public record Skipped(int sources, int malformed, int repeated) {}

  /** The entries of {@code classPath}, and the core library of this JVM, which is never on it. */
  public static List<Path> entries(String classPath) {
    Stream<Path> named =
        Pattern.compile(File.pathSeparator, Pattern.LITERAL)
            .splitAsStream(classPath)
            .filter(entry -> !entry.isEmpty())
            .map(Path::of);
    return Stream.concat(named, Stream.of(Path.of(URI.create("jrt:/java.base")))).toList();
  }

  /** Reads {@code entries}, on all cores; those that do not exist are passed over, as JVMs do. */
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
