/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Lists the Java sources of this repository, without generated ones. */
public final class JavaSources {
  private JavaSources() {}

  /**
   * Returns the sources of all modules below {@code folder}, tests included, as paths from the root
   * of the repository.
   *
   * @param folder from the root of the repository; empty for all modules
   */
  public static List<Path> below(String folder) {
    try (Stream<Path> files = Files.walk(Page.ROOT.resolve(folder))) {
      return files
          .map(Page.ROOT::relativize)
          .filter(file -> file.toString().matches("[\\w/-]+/src/\\w+/java/.*\\.java"))
          .filter(file -> !file.toString().contains("/target/"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the sources below {@code folder} that are not tests, as {@link #below} does. */
  public static List<Path> mainBelow(String folder) {
    return below(folder).stream()
        .filter(file -> file.toString().contains("/src/main/java/"))
        .toList();
  }
}
