/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.docs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sparknd.docs.Block;
import io.sparknd.docs.Page;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import scala.Console$;

/**
 * A run of a page's blocks, in their order. Java blocks are compiled in this JVM.
 *
 * @param printed the output of each block that ran, by its first line
 */
record PageRun(Map<Integer, String> printed) {

  /**
   * Runs a page.
   *
   * @param before see {@link PageSource}
   * @param folder the folder for relative paths and buckets of the page
   * @param others runs blocks of other languages
   * @throws AssertionError if the page does not compile
   * @throws Exception if the page fails; its stack trace has the lines of the page
   */
  static PageRun of(Page page, String before, Path folder, BlockRunner others) throws Exception {
    Consumer<IntConsumer> java =
        page.blocks("java").isEmpty() ? beginsAt -> {} : compiled(page, before, folder);
    Output output = new Output();
    PrintStream out = System.out;
    System.setOut(output.stream);
    try {
      return Console$.MODULE$.withOut(output.stream, () -> run(page, java, others, output));
    } finally {
      System.setOut(out);
    }
  }

  /** Returns the Java blocks, which call their argument with the line of each block before it. */
  private static Consumer<IntConsumer> compiled(Page page, String before, Path folder)
      throws Exception {
    PageSource source = new PageSource(page, before);
    compile(
        page,
        List.of(
            new Source(source.membersName(), inFolder(source.members(), folder)),
            new Source(source.className(), inFolder(source.text(), folder))));
    Class<?> program = Class.forName(PageSource.PACKAGE + "." + source.className());
    return beginsAt -> {
      try {
        program.getMethod("run", IntConsumer.class).invoke(null, beginsAt);
      } catch (InvocationTargetException e) {
        throw new IllegalStateException("the page failed; the cause has the line", e.getCause());
      } catch (ReflectiveOperationException e) {
        throw new LinkageError(e.getMessage(), e);
      }
    };
  }

  private static PageRun run(
      Page page, Consumer<IntConsumer> java, BlockRunner others, Output output) {
    Deque<Block> waiting = new ArrayDeque<>(page.blocks());
    waiting.removeAll(page.blocks("java"));
    java.accept(
        line -> {
          runAbove(line, waiting, others, output);
          output.next(line);
        });
    runAbove(Integer.MAX_VALUE, waiting, others, output);
    output.next(0);
    return new PageRun(output.printed);
  }

  /** Runs the blocks above a line that wait. */
  private static void runAbove(int line, Deque<Block> waiting, BlockRunner others, Output output) {
    while (!waiting.isEmpty() && waiting.peek().line() < line) {
      Block block = waiting.remove();
      output.next(block.line());
      boolean ran = run(block, others);
      output.next(0);
      if (!ran) {
        output.printed.remove(block.line());
      }
    }
  }

  private static boolean run(Block block, BlockRunner runner) {
    try {
      return runner.run(block);
    } catch (Exception e) {
      throw new IllegalStateException("the block at line " + block.line() + " failed", e);
    }
  }

  /** Redirects buckets, relative paths and files of the folder {@code data} to {@code folder}. */
  static String inFolder(String text, Path folder) {
    return text.replace("s3a://", folder.toUri().toString())
        .replace("Path.of(\"", "Path.of(\"" + folder + "/")
        .replaceAll("([\"'`])data/", "$1" + folder + "/data/");
  }

  /** Compiles into the class path of this JVM, where Spark's tasks find the classes, too. */
  private static void compile(Page page, List<Source> sources) throws URISyntaxException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    Path classes =
        Path.of(PageRun.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> options =
        List.of(
            "-proc:none",
            "-Xlint:deprecation,unchecked,rawtypes",
            "-Werror",
            "-cp",
            classes + File.pathSeparator + System.getProperty("java.class.path"),
            "-d",
            classes.toString());
    StringWriter messages = new StringWriter();
    if (!compiler.getTask(messages, null, null, options, null, sources).call()) {
      throw new AssertionError(
          page + " does not compile; line numbers are those of the page\n" + messages);
    }
  }

  /** Captures the output of each block. */
  private static final class Output {
    private final Map<Integer, String> printed = new TreeMap<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintStream(bytes, true, UTF_8);
    private int block;

    void next(int line) {
      stream.flush();
      printed.put(block, bytes.toString(UTF_8));
      bytes.reset();
      block = line;
    }
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String className, String text) {
      super(URI.create("page:///" + className + ".java"), JavaFileObject.Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
