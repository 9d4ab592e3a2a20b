/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.demo;

import static io.sparknd.cli.classes.TestClasses.calling;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.arrow.ArrowTensors;
import io.sparknd.cli.classes.TestClasses;
import io.sparknd.tensor.Npy;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests {@code sparknd demo}. */
class DemoCommandTest {
  private static final String SAME = "tensors are identical to the local kernel, bit for bit";

  @TempDir private Path folder;
  private Path out;

  @BeforeEach
  void chooseOutput() {
    out = folder.resolve("out");
  }

  @Test
  void countsReferencesOfTheClassPathAndWritesThemToFiles() throws IOException {
    String text = countClasses();
    assertThat(text).contains("all 6 " + SAME).contains("int32[50, 50] in 3 partitions");
    Tensor counts = Npy.read(out.resolve("counts.npy"));
    assertThat(counts.shape()).isEqualTo(Shape.of(50, 50));
    List<String> classes = Files.readAllLines(out.resolve("classes.txt"));
    int[] elements = (int[]) counts.array();
    int hub = classes.indexOf("demo.p.Hub");
    int caller = classes.indexOf("demo.p.Caller");
    assertThat(elements[caller * 50 + hub]).isEqualTo(3000);
    assertThat(elements[hub * 50 + caller]).isEqualTo(4000);
    assertThat(text)
        .containsPattern("4,000 +demo.p.Hub +to +demo.p.Caller\n")
        .containsPattern("3,000 +demo.p.Caller +to +demo.p.Hub\n");
  }

  @Test
  void largestAndSmallestClassFilesOfAPackageAreKept() throws IOException {
    countClasses();
    int row = Files.readAllLines(out.resolve("packages.txt")).indexOf("demo.p");
    long[] largest = (long[]) Npy.read(out.resolve("largest.npy")).array();
    long[] smallest = (long[]) Npy.read(out.resolve("smallest.npy")).array();
    assertThat(largest[row]).isEqualTo(hub().length);
    assertThat(smallest[row]).isEqualTo(calling("demo/p/Idle").length);
  }

  @Test
  void arrowFilesHoldWhatTheNpyFilesHold() throws IOException {
    countClasses();
    for (String name : List.of("counts", "referred", "largest", "smallest", "rows", "callers")) {
      Path arrow = out.resolve(name + ".arrow");
      Tensor read = ArrowTensors.read(new ByteArrayInputStream(Files.readAllBytes(arrow)), name);
      assertThat(read).isEqualTo(Npy.read(out.resolve(name + ".npy")));
    }
  }

  @Test
  void aSecondRunReplacesItsOwnFilesOnly() throws IOException {
    countClasses();
    Path other = Files.writeString(out.resolve("other.txt"), "mine");
    Files.writeString(out.resolve("counts.npy"), "old");
    countClasses();
    assertThat(Npy.read(out.resolve("counts.npy")).shape()).isEqualTo(Shape.of(50, 50));
    assertThat(other).hasContent("mine");
  }

  @Test
  void ownFilesAreScatteredGatheredAndWritten() {
    Path data = npy("t", Tensor.of(Shape.of(3, 2), 1f, 2f, 3f, 4f, 5f, 6f));
    Path indices = npy("i", Tensor.of(Shape.of(3, 1), 2L, 0L, 2L));
    Path updates = npy("u", Tensor.of(Shape.of(3, 2), 10f, 20f, 30f, 40f, 50f, 60f));
    String text = run("--data", data, "--indices", indices, "--updates", updates);
    assertThat(text)
        .contains("all 2 " + SAME)
        .contains("3 index tuples for 2 slices: 33.3 % are duplicates");
    assertThat(Npy.read(out.resolve("result.npy")))
        .isEqualTo(Tensor.of(Shape.of(3, 2), 31f, 42f, 3f, 4f, 65f, 86f));
    assertThat(Npy.read(out.resolve("touched.npy")))
        .isEqualTo(Tensor.of(Shape.of(3, 2), 65f, 86f, 31f, 42f, 65f, 86f));
  }

  @Test
  void ownFilesAreLocalWhateverTheDefaultFileSystem() {
    Configuration hadoop = LocalSpark.session().sparkContext().hadoopConfiguration();
    hadoop.set("fs.defaultFS", "nowhere://host");
    try {
      ownFilesTakeAReduction();
    } finally {
      hadoop.unset("fs.defaultFS");
    }
  }

  @Test
  void ownFilesTakeAReduction() {
    Path data = npy("t", Tensor.of(Shape.of(2), 5, 5));
    Path indices = npy("i", Tensor.of(Shape.of(3, 1), 0, 1, 0));
    Path updates = npy("u", Tensor.of(Shape.of(3), 7, 3, 6));
    run("--data", data, "--indices", indices, "--updates", updates, "--reduction", "max");
    assertThat(Npy.read(out.resolve("result.npy"))).isEqualTo(Tensor.of(Shape.of(2), 7, 5));
  }

  @Test
  void ownFilesWithMismatchedShapesAreRejected() {
    Path data = npy("t", Tensor.of(Shape.of(2), 5, 5));
    Path indices = npy("i", Tensor.of(Shape.of(1, 1), 2));
    Path updates = npy("u", Tensor.of(Shape.of(1), 7));
    assertThatThrownBy(() -> run("--data", data, "--indices", indices, "--updates", updates))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("indices[0] = [2] is out of bounds for shape [2]");
    assertThatThrownBy(() -> run("--data", data, "--indices", indices, "--updates", data))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("updates has shape [2]");
  }

  @Test
  void numbersOfClassesBelowOneAreRefused() {
    assertThatThrownBy(() -> run("--classes", "0"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("--classes is 0");
  }

  @Test
  void aClassPathWithoutJarsStillHasTheCoreLibrary() {
    assertThat(run("--class-path", "", "--classes", "20")).contains("1 jars and folders");
  }

  @Test
  void anOutputFolderThatIsAFileIsRefusedBeforeAnythingRuns() throws IOException {
    Files.writeString(out, "mine");
    assertThatThrownBy(() -> run("--classes", "20"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(out.toString());
    assertThat(out).hasContent("mine");
  }

  @Test
  void oneOwnFileRequiresTheOthers() {
    StringWriter errors = new StringWriter();
    CommandLine line = new CommandLine(new DemoCommand()).setErr(new PrintWriter(errors));
    assertThat(line.execute("--data", "t.npy")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(errors.toString()).contains("--indices=FILE").contains("--updates=FILE");
  }

  private String countClasses() throws IOException {
    Path jar =
        TestClasses.jar(
            folder.resolve("a.jar"),
            Map.of(
                "demo/p/Hub.class", hub(),
                "demo/p/Caller.class", calling("demo/p/Caller", times(3000, "demo/p/Hub")),
                "demo/p/Idle.class", calling("demo/p/Idle")));
    return run("--class-path", jar, "--classes", "50", "--partitions", "3");
  }

  private static byte[] hub() {
    return calling("demo/p/Hub", times(4000, "demo/p/Caller"));
  }

  private static String[] times(int count, String name) {
    String[] names = new String[count];
    Arrays.fill(names, name);
    return names;
  }

  private Path npy(String name, Tensor tensor) {
    Path file = folder.resolve(name + ".npy");
    Npy.write(tensor, file);
    return file;
  }

  /** Returns the output of the command and rethrows its error unchanged. */
  private String run(Object... options) {
    StringWriter text = new StringWriter();
    String[] words =
        Stream.concat(Stream.of(options), Stream.of("--out", out, "--master", "local[2]"))
            .map(Object::toString)
            .toArray(String[]::new);
    DemoCommand command = new DemoCommand();
    CommandLine line = new CommandLine(command).setOut(new PrintWriter(text));
    line.parseArgs(words);
    assertThat(command.call()).as(text.toString()).isZero();
    return text.toString();
  }
}
