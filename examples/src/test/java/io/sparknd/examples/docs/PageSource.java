/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.docs;

import io.sparknd.docs.Block;
import io.sparknd.docs.Page;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The Java blocks of a page as one class. Other lines are blank, so that line numbers in compiler
 * messages and stack traces are those of the page.
 *
 * <p>Blocks are consecutive statements of one method. Variables declared before the first level-2
 * heading are visible in all blocks, others only below the same level-2 heading.
 */
final class PageSource {
  static final String PACKAGE = "io.sparknd.pages";

  /** The call before each block, with the line of the block. */
  static final String MARK = "beginsAt.accept(";

  private final Page page;
  private final String before;

  /**
   * @param before imports, then static members that the page uses but does not show
   */
  PageSource(Page page, String before) {
    this.page = page;
    this.before = before;
  }

  /** Returns the name of the class, such as {@code Page_docs_reference_java_md}. */
  String className() {
    return "Page_" + page.file().toString().replaceAll("\\W", "_");
  }

  /** Returns the name of the class of the members in {@code before}. */
  String membersName() {
    return className() + "_before";
  }

  String members() {
    return "package %s;\n%s\nclass %s {\n%s\n}\n"
        .formatted(PACKAGE, lines(before, true, "\n"), membersName(), lines(before, false, "\n"));
  }

  String text() {
    String[] lines = new String[page.lines().size()];
    Arrays.fill(lines, "");
    List<String> imports = new ArrayList<>(List.of(lines(before, true, " ")));
    String part = "{";
    for (int i = 0; i < lines.length; i++) {
      if (page.lines().get(i).startsWith("## ")) {
        lines[i] = part;
        part = "} {";
      }
    }
    for (Block block : page.blocks()) {
      // comments in a block are not headings
      Arrays.fill(lines, block.line(), block.line() + block.lines().size(), "");
      if (block.language().equals("java")) {
        lines[block.line() - 1] = MARK + block.line() + ");";
        for (int i = 0; i < block.lines().size(); i++) {
          String line = block.lines().get(i);
          lines[block.line() + i] = isImport(line) ? "" : line;
          imports.addAll(isImport(line) ? List.of(line) : List.of());
        }
      }
    }
    lines[0] = opening(imports) + lines[0];
    return String.join("\n", lines) + (part.equals("{") ? "\n}}\n" : "\n}}}\n");
  }

  private String opening(List<String> imports) {
    return "package %s; %s public class %s extends %s { "
            .formatted(PACKAGE, String.join(" ", imports), className(), membersName())
        + "public static void run(java.util.function.IntConsumer beginsAt) throws Exception {";
  }

  private static boolean isImport(String line) {
    return line.startsWith("import ");
  }

  private static String lines(String text, boolean imports, String separator) {
    return text.lines()
        .filter(line -> isImport(line) == imports)
        .collect(Collectors.joining(separator));
  }
}
