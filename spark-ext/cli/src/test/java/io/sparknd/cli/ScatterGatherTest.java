/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.arrow.ArrowTensors;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Npy;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code sparknd scatter}, {@code gather} and {@code info} on files. */
class ScatterGatherTest {
  private static final Tensor DATA = Tensor.of(Shape.of(3, 2), 1f, 2, 3, 4, 5, 6);
  private static final Tensor SUM = Tensor.of(Shape.of(3, 2), 1f, 2, 3, 4, 35, 46);

  @TempDir Path directory;

  @BeforeEach
  void writeInputs() {
    Npy.write(DATA, file("data.npy"));
    Npy.write(Tensor.of(Shape.of(2, 1), 2L, 2L), file("indices.npy"));
    Npy.write(Tensor.of(Shape.of(2, 2), 10f, 10, 20, 30), file("updates.npy"));
  }

  private Path file(String name) {
    return directory.resolve(name);
  }

  private CliRun scatter(Object... more) {
    List<Object> arguments = new ArrayList<>(List.of("scatter"));
    arguments.addAll(List.of("--indices", file("indices.npy"), "--updates", file("updates.npy")));
    arguments.addAll(List.of(more));
    return CliRun.of(arguments.toArray());
  }

  private CliRun scatterAdd(Object... more) {
    List<Object> arguments =
        new ArrayList<>(List.of("--data", file("data.npy"), "--reduction", "add"));
    arguments.addAll(List.of(more));
    return scatter(arguments.toArray());
  }

  private CliRun gather(Object... more) {
    List<Object> arguments = new ArrayList<>(List.of("gather"));
    arguments.addAll(List.of("--data", file("data.npy"), "--indices", file("indices.npy")));
    arguments.addAll(List.of(more));
    return CliRun.of(arguments.toArray());
  }

  private List<String> files() throws IOException {
    try (Stream<Path> found = Files.list(directory)) {
      return found.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "cluster"})
  void scatterWritesNpy(String engine) {
    CliRun run = scatterAdd("--engine", engine, "--out", file("out.npy"));

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("float32[3, 2]", "int64[2, 1]", "out.npy");
    assertThat(Npy.read(file("out.npy"))).isEqualTo(SUM);
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "cluster"})
  void scatterWritesArrow(String engine) throws IOException {
    CliRun run = scatterAdd("--engine", engine, "--partitions", 2, "--out", file("out.arrow"));

    assertThat(run.code()).as(run.err()).isZero();
    try (InputStream in = Files.newInputStream(file("out.arrow"))) {
      assertThat(ArrowTensors.read(in, "out.arrow")).isEqualTo(SUM);
    }
    assertThat(files()).containsExactly("data.npy", "indices.npy", "out.arrow", "updates.npy");
  }

  @Test
  void aSavedDirectoryIsReadAgain() {
    CliRun saved = scatterAdd("--partitions", 3, "--out", file("saved"));
    assertThat(saved.code()).as(saved.err()).isZero();

    CliRun again = scatter("--data", file("saved"), "--partitions", 2, "--out", file("again.npy"));

    assertThat(again.code()).as(again.err()).isZero();
    assertThat(Npy.read(file("again.npy")))
        .isEqualTo(Tensor.of(Shape.of(3, 2), 1f, 2, 3, 4, 20, 30));
    assertThat(CliRun.of("info", file("saved")).out())
        .contains("dtype    float32", "shape    [3, 2]", "elements 6", "3 partitions, blocks of");
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "cluster"})
  void shapeWithoutDataStartsFromZeros(String engine) {
    CliRun run =
        scatter("--shape", "4,2", "--reduction", "sub", "--engine", engine, "--out", file("o.npy"));

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(Npy.read(file("o.npy")))
        .isEqualTo(Tensor.of(Shape.of(4, 2), 0f, 0, 0, 0, -30, -40, 0, 0));
  }

  @Test
  void theFirstUpdateCanReplaceTheElement() {
    scatterAdd("--exclude-self", "--out", file("out.npy"));

    assertThat(Npy.read(file("out.npy"))).isEqualTo(Tensor.of(Shape.of(3, 2), 1f, 2, 3, 4, 30, 40));
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "cluster"})
  void bfloat16IsReadFromItsBits(String engine) {
    // 1, 2 and 3 as bfloat16
    Npy.write(bits(0x3f80, 0x3f80, 0x3f80), file("data.npy"));
    Npy.write(bits(0x4000, 0x4040), file("updates.npy"));

    CliRun run = scatterAdd("--dtype", "bfloat16", "--engine", engine, "--out", file("out.npy"));

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(Npy.read(file("out.npy"))).isEqualTo(bits(0x3f80, 0x3f80, 0x40c0));
  }

  private static Tensor bits(int... values) {
    short[] shorts = new short[values.length];
    for (int i = 0; i < shorts.length; i++) {
      shorts[i] = (short) values[i];
    }
    return Tensor.wrap(DType.UINT16, Shape.of(values.length), shorts);
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "cluster"})
  void gatherReadsSlices(String engine) {
    CliRun run = gather("--engine", engine, "--out", file("out.npy"));

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(Npy.read(file("out.npy"))).isEqualTo(Tensor.of(Shape.of(2, 2), 5f, 6, 5, 6));
  }

  @Test
  void gatherFillsOutOfBoundsReads() {
    Npy.write(Tensor.of(Shape.of(2, 1), 0L, 9L), file("indices.npy"));

    CliRun run = gather("--bad-indices", "fill", "--fill-value", "nan", "--out", file("out.npy"));

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(Npy.read(file("out.npy")))
        .isEqualTo(Tensor.of(Shape.of(2, 2), 1f, 2, Float.NaN, Float.NaN));
  }

  @Test
  void negativeIndicesWrapOnRequest() {
    Npy.write(Tensor.of(Shape.of(1, 1), -1L), file("indices.npy"));

    assertThat(gather("--out", file("out.npy")).code()).isEqualTo(1);
    assertThat(gather("--negative", "wrap", "--out", file("out.npy")).code()).isZero();
    assertThat(Npy.read(file("out.npy"))).isEqualTo(Tensor.of(Shape.of(1, 2), 5f, 6));
  }

  @Test
  void ignoredIndicesMayBeNegative() {
    Npy.write(Tensor.of(Shape.of(2, 1), -1L, 1L), file("indices.npy"));

    CliRun refused =
        gather("--bad-indices", "ignore", "--negative", "error", "--out", file("out.npy"));
    assertThat(refused.err()).contains("[-1] is negative", "'oob'");
    assertThat(gather("--bad-indices", "ignore", "--out", file("out.npy")).code()).isZero();
    assertThat(Npy.read(file("out.npy"))).isEqualTo(Tensor.of(Shape.of(2, 2), 0f, 0, 3, 4));
  }

  @Test
  void batchDimensionsAreShared() {
    Npy.write(Tensor.of(Shape.of(3, 1), 1L, 0L, 1L), file("indices.npy"));

    CliRun run = gather("--batch-dims", 1, "--engine", "local", "--out", file("out.npy"));

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(Npy.read(file("out.npy"))).isEqualTo(Tensor.of(Shape.of(3), 2f, 3, 6));
  }

  @ParameterizedTest
  @ValueSource(strings = {"out.npy", "out.arrow", "out"})
  void rejectedCallWritesNothing(String out) throws IOException {
    Npy.write(Tensor.of(Shape.of(2, 1), 2L, 7L), file("indices.npy"));

    CliRun run = scatterAdd("--out", file(out));

    assertThat(run.err().lines())
        .containsExactly(
            "sparknd: [SPARKND_INDEX_OUT_OF_BOUNDS] indices[1] = [7] is out of bounds for shape [3, 2]: correct it, or set bad_indices"
                + " to 'ignore' or 'clip'");
    assertThat(run.code()).isEqualTo(1);
    assertThat(files()).containsExactly("data.npy", "indices.npy", "updates.npy");
  }

  @Test
  void duplicatesAreRejectedOnRequest() {
    CliRun run = scatterAdd("--duplicates", "error", "--out", file("out.npy"));

    assertThat(run.err()).contains("indices[1] names the same slice as indices[0]");
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void unusableOutputPathsAreReported() throws IOException {
    Files.createDirectories(file("full/of"));

    assertThat(scatterAdd("--out", file("full")).err()).contains("full is not empty");
    assertThat(scatterAdd("--out", file("gone/out.npy")).err()).contains("gone is not a directory");
    assertThat(scatterAdd("--out", file("data.npy").resolve("x")).err())
        .contains("data.npy is not a directory");
  }

  @ParameterizedTest
  @ValueSource(strings = {"out.npz", "out.PT", "out.parquet"})
  void extensionsOfOtherFormatsAreNoDirectories(String out) throws IOException {
    for (String engine : List.of("local", "cluster")) {
      CliRun run = scatterAdd("--engine", engine, "--out", file(out));
      assertThat(run.err()).contains(out + ": results are not written as .").contains(".npy");
      assertThat(run.code()).isEqualTo(1);
    }
    assertThat(files()).containsExactly("data.npy", "indices.npy", "updates.npy");
  }

  @Test
  void extensionsMayBeInUpperCase() {
    assertThat(scatterAdd("--engine", "local", "--out", file("OUT.NPY")).code()).isZero();
    assertThat(Npy.read(file("OUT.NPY"))).isEqualTo(SUM);
  }

  /** The commands print a line for each input and step, so none of them ran. */
  @Test
  void localEngineRejectsSavedDirectoriesBeforeAnyWork() {
    for (CliRun run :
        List.of(
            scatterAdd("--engine", "local", "--out", file("saved")),
            gather("--engine", "local", "--out", file("saved")))) {
      assertThat(run.err()).contains("engine 'local' neither reads nor writes");
      assertThat(run.code()).isEqualTo(1);
      assertThat(run.out()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "cluster"})
  void unknownKernelIsRejected(String engine) {
    CliRun run = scatterAdd("--engine", engine, "--kernel", "fast", "--out", file("out.npy"));

    assertThat(run.err())
        .startsWith("sparknd: [SPARKND_UNKNOWN_OPTION_VALUE.UNKNOWN_KERNEL] kernel 'fast' is");
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void missingFilesAreNamed() {
    assertThat(scatter("--data", file("no.npy"), "--out", file("out.npy")).err())
        .startsWith("sparknd: [SPARKND_CANNOT_READ_FILE.NO_SUCH_FILE] file or directory ");
    assertThat(CliRun.of("info", file("no.npy")).code()).isEqualTo(1);
  }

  @Test
  void infoDescribesNpyFiles() {
    assertThat(CliRun.of("info", file("data.npy")).lines())
        .contains(
            "format   .npy 1.0",
            "dtype    float32",
            "shape    [3, 2]",
            "elements 6",
            "bytes    24 from byte 128",
            "order    C (row-major)");
  }

  @Test
  void infoDescribesArrowFiles() {
    ArrowTensors.write(DATA, file("data.arrow"));

    assertThat(CliRun.of("info", file("data.arrow")).lines())
        .contains("dtype    float32", "shape    [3, 2]", "elements 6");
  }

  @ParameterizedTest
  @ValueSource(strings = {"data.arrow", "saved"})
  void infoNeverIgnoresADtype(String name) throws IOException {
    ArrowTensors.write(Tensor.of(Shape.of(2), 1f, 2f), file("data.arrow"));
    Files.createDirectory(file("saved"));

    CliRun run = CliRun.of("info", file(name), "--dtype", "float16");

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("--dtype is float16", file(name) + " stores its dtype");
  }

  @Test
  void aSavedTensorKeepsItsDtype() throws IOException {
    Path saved = Files.createDirectory(file("saved"));
    CliRun run =
        CliRun.of(
            "gather",
            "--data",
            saved,
            "--indices",
            file("indices.npy"),
            "--dtype",
            "float16",
            "--out",
            file("out.npy"));
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("--dtype is float16", saved.toString(), "leave --dtype out");
  }

  /** Covers characters with a special meaning in paths, globs and URIs. */
  @Tag("slow")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a b", "a%20b", "a;b", "it's", "a\"b", "*", "?", "[x]", "{a,b}", "ünï", "表", "a\nb", "a:b",
        "file:a", "#a", "a\\b", "$(a)", "-a", "..a", "%s", " "
      })
  void fileNamesWithSpecialCharactersWork(String name) throws IOException {
    Files.copy(file("data.npy"), file(name + ".npy"));
    Files.copy(file("data.npy"), file("other.npy"));
    List<String> before = files();
    for (String engine : List.of("local", "cluster")) {
      Path out = file("out " + engine + name + ".npy");
      CliRun run =
          scatter(
              "--data",
              file(name + ".npy"),
              "--reduction",
              "add",
              "--engine",
              engine,
              "--out",
              out);
      boolean isRejected = engine.equals("cluster") && name.contains(":"); // Hadoop rejects colons
      assertThat(run.code()).as(run.err()).isEqualTo(isRejected ? 1 : 0);
      assertThat(Files.exists(out)).isEqualTo(!isRejected);
      assertThat(isRejected || Npy.read(out).equals(SUM)).isTrue();
    }
    assertThat(files()).containsAll(before);
    assertThat(Npy.read(file("other.npy"))).isEqualTo(DATA);
  }

  /** A manifest cannot refer to files outside its directory. */
  @ParameterizedTest
  @ValueSource(strings = {"../secret.blocks", "/secret.blocks", "file:secret.blocks", ".."})
  void manifestsThatReferOutsideTheirDirectoryAreRejected(String name) throws IOException {
    assertThat(scatterAdd("--engine", "cluster", "--out", file("saved")).code()).isZero();
    Path manifest = file("saved").resolve("tensor.json");
    String changed = Files.readString(manifest).replaceFirst("\"part-[^\"]*\"", "\"" + name + "\"");
    Files.writeString(manifest, changed);
    Files.delete(manifest.resolveSibling(".tensor.json.crc")); // Hadoop's checksum file
    CliRun run =
        scatter("--data", file("saved"), "--engine", "cluster", "--out", file("stolen.npy"));
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("refers to a file '" + name + "' outside the directory");
    assertThat(files()).doesNotContain("stolen.npy");
  }

  @Test
  void infoRefusesOtherDirectories() {
    assertThat(CliRun.of("info", directory).err()).contains("is not a saved tensor");
  }
}
