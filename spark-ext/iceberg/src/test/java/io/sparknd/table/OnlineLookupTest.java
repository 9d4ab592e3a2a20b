/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.publish.RedisSink;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The lookups that docs/how-to/feature-tables.md shows find in Redis what a gather finds in the
 * table.
 */
@Tag("slow")
class OnlineLookupTest {
  private static final Path PYTHON = Path.of("/usr/bin/python3");
  private static final int DIM = 3;

  private final SparkSession spark = TestTables.spark();
  private final List<String> keys = keys();

  @TempDir Path folder;
  private RedisServer server;
  private List<List<Float>> expected;

  /** Returns 1,000 distinct keys, of which some have no row. */
  private static List<String> keys() {
    List<String> keys =
        IntStream.range(0, 1000).mapToObj(i -> "user " + 3 * i).collect(Collectors.toList());
    Collections.shuffle(keys, new Random(23));
    return keys;
  }

  @BeforeEach
  void publish() throws Exception {
    server = RedisServer.start();
    SparkSession.setActiveSession(spark);
    FeatureTable users =
        FeatureTable.create(
            spark,
            TestTables.name(),
            FeatureTableSpec.keyedBy("user", "string")
                .with(
                    Variable.of("taste", DType.FLOAT32, DIM)
                        .reducedBy(VariableReduction.add())
                        .withFill(0)));
    users.scatter(
        spark.sql(
            "SELECT 'user ' || id AS user, array(float(id), float(id / 3), -0.5F) AS taste"
                + " FROM range(2500)"));
    users.publish(RedisSink.at(server.address()).withName("users"));
    List<Row> rows =
        users
            .gather(spark.createDataset(keys, Encoders.STRING()).toDF("user"), List.of("user"))
            .collectAsList();
    expected =
        keys.stream()
            .map(key -> rows.stream().filter(row -> row.getString(0).equals(key)).findAny())
            .map(row -> row.orElseThrow().<Float>getList(1))
            .collect(Collectors.toList());
    assertThat(expected).contains(List.of(0F, 0F, 0F)).contains(List.of(3F, 1F, -0.5F));
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  /** Returns the code block of the page that contains a text, without its indentation. */
  private String block(String part) throws Exception {
    String page = Files.readString(Path.of("..", "..", "docs", "how-to", "feature-tables.md"));
    for (String block : page.split("\n\n(?=    \\S)")) {
      if (block.contains(part)) {
        return block
            .lines()
            .takeWhile(line -> line.isEmpty() || line.startsWith("    "))
            .map(line -> line.replaceFirst("^ {4}", ""))
            .collect(Collectors.joining("\n"))
            .replace("6379", "" + URI.create(server.address()).getPort());
      }
    }
    throw new AssertionError("the page has no block with " + part);
  }

  @Test
  void javaFindsTheRows() throws Exception {
    String lookup = block("redis.pipelined()");
    String end = "return found.stream().map(Response::get).toList();\n}";
    String program =
        """
        import static java.nio.charset.StandardCharsets.UTF_8;
        import java.util.List;
        import redis.clients.jedis.*;
        public class Lookup {
          public static List<byte[]> of(List<String> keys) {
            %s
          }
        }
        """
            .formatted(lookup.stripTrailing().replaceFirst("}$", end));
    List<List<Float>> found = new ArrayList<>();
    for (byte[] row : compiled(program)) {
      found.add(row == null ? List.of(0F, 0F, 0F) : floats(row));
    }
    assertThat(found).isEqualTo(expected);
  }

  @SuppressWarnings("unchecked") // the program above
  private List<byte[]> compiled(String program) throws Exception {
    Path source = Files.writeString(folder.resolve("Lookup.java"), program, UTF_8);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, UTF_8);
        URLClassLoader classes =
            new URLClassLoader(new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
      List<String> options =
          List.of("-cp", System.getProperty("java.class.path"), "-d", folder.toString());
      assertThat(
              compiler
                  .getTask(null, files, null, options, null, files.getJavaFileObjects(source))
                  .call())
          .isTrue();
      return (List<byte[]>)
          classes.loadClass("Lookup").getMethod("of", List.class).invoke(null, keys);
    }
  }

  private static List<Float> floats(byte[] row) {
    assertThat(row).hasSize(DIM * Float.BYTES);
    ByteBuffer bytes = ByteBuffer.wrap(row).order(ByteOrder.LITTLE_ENDIAN);
    return IntStream.range(0, DIM).mapToObj(i -> bytes.getFloat()).toList();
  }

  @Test
  void pythonFindsTheRows() throws Exception {
    assumeTrue(
        Files.isExecutable(PYTHON) && run("import redis, numpy").exitValue() == 0,
        "redis-py or NumPy is not installed");
    String program =
        """
        import numpy, redis
        keys = open("%s").read().split("\\n")
        fill = numpy.zeros(%d, "<f4")
        %s
        for row in taste:
            print(",".join(str(float(value)) for value in row))
        """
            .formatted(
                Files.write(folder.resolve("keys"), String.join("\n", keys).getBytes(UTF_8)),
                DIM,
                block("redis.Redis("));
    Process process = run(program);
    String output = Files.readString(folder.resolve("output"));
    assertThat(process.exitValue()).as(output).isZero();
    assertThat(output.lines().map(OnlineLookupTest::parsed)).isEqualTo(expected);
  }

  private Process run(String program) throws Exception {
    Process process =
        new ProcessBuilder(PYTHON.toString(), "-c", program)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile())
            .start();
    process.waitFor();
    return process;
  }

  private static List<Float> parsed(String line) {
    return Pattern.compile(",").splitAsStream(line).map(Float::valueOf).toList();
  }
}
