/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the generator of kernel loops. */
class LoopGeneratorTest {
  private static final Path LOOPS = Path.of("io", "sparknd", "kernel", "cpu");
  private static final Path CODECS = Path.of("io", "sparknd", "parquet");
  private static final Path SOURCES = Path.of("src", "main", "java");

  @TempDir Path folder;
  private Path copied;

  @BeforeEach
  void copySources() throws IOException {
    copied = copy(LOOPS);
    copy(CODECS);
  }

  private Path copy(Path sources) throws IOException {
    Path to = Files.createDirectories(folder.resolve("in").resolve(sources));
    try (Stream<Path> files = Files.list(SOURCES.resolve(sources))) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
    return to;
  }

  @Test
  void generatesALoopPerTypeWithoutLeftoversOfTheTemplate() throws Exception {
    ForkedJvm run = generate();
    assertThat(run.exit()).as(run.output()).isZero();
    assertThat(Files.readString(generated("ByteVectorReduceLoop")))
        .contains("VectorSpecies<Byte>", "byte[][] blocks")
        .doesNotContain("float", "FloatVector.");
    assertThat(Files.readString(generated("LongVectorReduceLoop64")))
        .contains("final class LongVectorReduceLoop64", "int last = 64 - WIDTH")
        .doesNotContain("units - WIDTH");
    assertThat(Files.readString(generated("IntUnsignedReduceLoop")))
        .contains("Integer.compareUnsigned");
    assertThat(Files.readString(generated("ShortReduceLoop"))).contains("return (short) Math.min");
    assertThat(Files.readString(generated("Bfloat16ReduceLoop"))).contains("HalfFloats.toBfloat16");
  }

  @Tag("slow")
  @Test
  void failsIfTheTemplateLacksAWordToReplace() throws Exception {
    Path loop = copied.resolve("FloatReduceLoop.java");
    Files.writeString(loop, Files.readString(loop).replace("return Math", "return StrictMath"));
    ForkedJvm run = generate();
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.output())
        .contains("FloatReduceLoop.java has no 'return Math' to replace by 'return (short) Math'");
  }

  @Tag("slow")
  @Test
  void failsIfALoopSourceIsMissing() throws Exception {
    Files.delete(copied.resolve("LongUnsignedReduceLoop.java"));
    ForkedJvm run = generate();
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.output()).contains("LongUnsignedReduceLoop.java does not exist");
  }

  @Test
  void generatesACodecPerType() throws Exception {
    ForkedJvm run = generate();
    assertThat(run.exit()).as(run.output()).isZero();
    Path codec = folder.resolve("out").resolve(CODECS).resolve("DoubleCodec.java");
    assertThat(Files.readString(codec))
        .contains("PrimitiveTypeName.DOUBLE", "page.getDouble()", "page.asDoubleBuffer()")
        .doesNotContain("asLong", "Long.BYTES", "long[]", "public final class");
  }

  private Path generated(String name) {
    return folder.resolve("out").resolve(LOOPS).resolve(name + ".java");
  }

  private ForkedJvm generate() throws IOException, InterruptedException {
    return ForkedJvm.run(
        List.of(
            "src/build/java/LoopGenerator.java",
            folder.resolve("in").toString(),
            folder.resolve("out").toString()));
  }
}
