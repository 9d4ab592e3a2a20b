/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.classes;

import io.sparknd.cli.support.LinkedFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The class files of one jar or folder, sorted by name.
 *
 * @param malformed number of files that end in {@code .class} but are not valid class files
 */
record ClassSource(List<ClassFile> classes, int malformed) {

  /** Reads a jar or folder; empty if it is neither or cannot be read. */
  static Optional<ClassSource> read(Path path) {
    try {
      return Optional.of(Files.isDirectory(path) ? folder(path) : jar(path));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static ClassSource jar(Path path) throws IOException {
    try (ZipFile jar = new ZipFile(path.toFile())) {
      List<String> names =
          jar.stream().map(ZipEntry::getName).filter(ClassSource::isClass).sorted().toList();
      return of(names, name -> contents(jar, name));
    }
  }

  private static byte[] contents(ZipFile jar, String name) throws IOException {
    try (InputStream in = jar.getInputStream(jar.getEntry(name))) {
      return in.readAllBytes();
    }
  }

  private static ClassSource folder(Path folder) throws IOException {
    List<String> names =
        LinkedFiles.below(folder).stream()
            .map(file -> folder.relativize(file).toString())
            .filter(ClassSource::isClass)
            .sorted()
            .toList();
    return of(names, name -> Files.readAllBytes(folder.resolve(name)));
  }

  /** Excludes descriptors, and the variants for later JVMs below {@code META-INF}. */
  private static boolean isClass(String name) {
    return name.endsWith(".class")
        && !name.startsWith("META-INF")
        && !name.endsWith("module-info.class")
        && !name.endsWith("package-info.class");
  }

  private static ClassSource of(List<String> names, Contents contents) throws IOException {
    List<ClassFile> classes = new ArrayList<>();
    for (String name : names) {
      parse(name, contents).ifPresent(classes::add);
    }
    return new ClassSource(classes, names.size() - classes.size());
  }

  private static Optional<ClassFile> parse(String name, Contents contents) {
    try {
      return ClassFile.parse(contents.of(name));
    } catch (IOException e) {
      // an entry that cannot be unpacked does not affect the others
      return Optional.empty();
    }
  }

  /** Reads a file by its name. */
  private interface Contents {
    byte[] of(String name) throws IOException;
  }
}
