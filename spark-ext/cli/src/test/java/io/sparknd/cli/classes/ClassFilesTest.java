/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.classes;

import static io.sparknd.cli.classes.TestClasses.calling;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the discovery of class files on a class path. */
class ClassFilesTest {
  @TempDir private Path folder;

  @Test
  void classesAreSortedByJarNameThenClassName() throws IOException {
    Path later = jar("b.jar", Map.of("p/Z.class", calling("p/Z"), "p/A.class", calling("p/A")));
    Path earlier = jar("a.jar", Map.of("q/M.class", calling("q/M")));
    ClassFiles files = ClassFiles.read(List.of(later, earlier));
    assertThat(files.sources()).isEqualTo(2);
    assertThat(names(files)).containsExactly("q/M", "p/A", "p/Z");
  }

  @Test
  void firstOfTwoClassesWithTheSameNameCounts() throws IOException {
    Path first = jar("a.jar", Map.of("p/A.class", calling("p/A", "x/First")));
    Path second = jar("b.jar", Map.of("p/A.class", calling("p/A", "x/Second")));
    ClassFiles files = ClassFiles.read(List.of(second, first));
    assertThat(files.classes().get(0).references()).containsExactly("x/First");
    assertThat(files.skipped()).isEqualTo(new ClassFiles.Skipped(0, 0, 1));
  }

  @Test
  void malformedFilesAndJarsAreSkippedAndCounted() throws IOException {
    byte[] text = "no class file".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    Path jar = jar("a.jar", Map.of("p/A.class", calling("p/A"), "p/Bad.class", text));
    Path broken = Files.write(folder.resolve("broken.jar"), text);
    ClassFiles files = ClassFiles.read(List.of(jar, broken));
    assertThat(names(files)).containsExactly("p/A");
    assertThat(files.sources()).isEqualTo(1);
    assertThat(files.skipped()).isEqualTo(new ClassFiles.Skipped(1, 1, 0));
  }

  @Test
  void onlyTheEntryThatDoesNotUnpackIsSkipped() throws IOException {
    Path jar = jar("a.jar", Map.of("p/A.class", calling("p/A"), "p/B.class", calling("p/B")));
    byte[] bytes = Files.readAllBytes(jar);
    int data = 30 + "p/A.class".length();
    java.util.Arrays.fill(bytes, data, data + 20, (byte) 0xFF);
    Files.write(jar, bytes);
    ClassFiles files = ClassFiles.read(List.of(jar));
    assertThat(files.classes()).hasSize(1);
    assertThat(files.skipped().malformed()).isEqualTo(1);
  }

  @Test
  void descriptorsAndClassesForLaterJvmsAreNotRead() throws IOException {
    Path jar =
        jar(
            "a.jar",
            Map.of(
                "META-INF/versions/21/p/A.class", calling("p/A"),
                "module-info.class", calling("module-info"),
                "p/package-info.class", calling("p/package-info"),
                "p/readme.txt", new byte[5]));
    ClassFiles files = ClassFiles.read(List.of(jar));
    assertThat(files).isEqualTo(new ClassFiles(1, List.of(), new ClassFiles.Skipped(0, 0, 0)));
  }

  @Test
  void foldersAreReadAsJarsAre() throws IOException {
    Files.createDirectories(folder.resolve("classes/p/q"));
    Files.write(folder.resolve("classes/p/q/B.class"), calling("p/q/B", "x/To"));
    Files.write(folder.resolve("classes/p/A.class"), calling("p/A"));
    ClassFiles files = ClassFiles.read(List.of(folder.resolve("classes")));
    assertThat(names(files)).containsExactly("p/A", "p/q/B");
    assertThat(files.classes().get(1).references()).containsExactly("x/To");
  }

  @Test
  void classesBehindLinksAreNeverLeftOut() throws IOException {
    Path classes = Files.createDirectories(folder.resolve("classes/p")).getParent();
    Files.write(classes.resolve("p/A.class"), calling("p/A"));
    Path linked = Files.createSymbolicLink(folder.resolve("linked"), classes);
    Path others = Files.createDirectory(folder.resolve("others"));
    Files.createSymbolicLink(others.resolve("p"), classes.resolve("p"));
    assertThat(names(ClassFiles.read(List.of(linked)))).containsExactly("p/A");
    assertThat(names(ClassFiles.read(List.of(others)))).containsExactly("p/A");
  }

  @Test
  void linksInACircleHideNoClass() throws IOException {
    Path classes = Files.createDirectories(folder.resolve("classes/p")).getParent();
    Files.write(classes.resolve("p/A.class"), calling("p/A"));
    Files.createSymbolicLink(classes.resolve("p/again"), classes);
    ClassFiles files = ClassFiles.read(List.of(classes));
    assertThat(names(files)).containsExactly("p/A");
    assertThat(files.skipped()).isEqualTo(new ClassFiles.Skipped(0, 0, 0));
  }

  @Test
  void missingClassPathEntriesAreSkipped() {
    ClassFiles files = ClassFiles.read(List.of(folder.resolve("missing.jar")));
    assertThat(files.sources()).isZero();
    assertThat(files.skipped().sources()).isZero();
  }

  @Test
  void theCoreLibraryIsReadWithTheClassPath() throws IOException {
    Path jar = jar("a.jar", Map.of("p/A.class", calling("p/A")));
    ClassFiles files = ClassFiles.read(ClassFiles.entries(jar + File.pathSeparator));
    assertThat(files.sources()).isEqualTo(2);
    assertThat(names(files)).contains("p/A", "java/lang/Object", "java/util/List");
  }

  private Path jar(String name, Map<String, byte[]> entries) throws IOException {
    return TestClasses.jar(folder.resolve(name), entries);
  }

  private static List<String> names(ClassFiles files) {
    return files.classes().stream().map(ClassFile::name).toList();
  }
}
