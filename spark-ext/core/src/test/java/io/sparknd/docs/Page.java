/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Markdown page of this repository.
 *
 * @param file path from the root of the repository
 * @param lines lines of the page
 */
public record Page(Path file, List<String> lines) {
  /** The root of the repository. Tests run in the directory of their module. */
  public static final Path ROOT = root(Path.of("").toAbsolutePath());

  private static final String FENCE = "```";
  private static final Pattern HEADING = Pattern.compile("#{1,6} (.*)");
  private static final Pattern COMMENT = Pattern.compile("(?s)<!--.*?-->");
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");

  public Page {
    lines = List.copyOf(lines);
  }

  private static Path root(Path folder) {
    return Files.isDirectory(folder.resolve("docs")) ? folder : root(folder.getParent());
  }

  /**
   * Reads a page.
   *
   * @param file path from the root of the repository, such as {@code docs/reference/java.md}
   */
  public static Page of(String file) {
    return read(Path.of(file));
  }

  /** Returns the user documentation: the pages in the root and below {@code docs}. */
  public static List<Page> all() {
    try (Stream<Path> root = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(root, docs)
          .filter(path -> path.toString().endsWith(".md"))
          .map(path -> read(ROOT.relativize(path)))
          .sorted((a, b) -> a.file().compareTo(b.file()))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Page read(Path file) {
    try {
      return new Page(file, Files.readAllLines(ROOT.resolve(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Whether the page is in a folder, or in one below.
   *
   * @param folder path from the root of the repository, such as {@code docs/how-to}
   */
  public boolean isBelow(String folder) {
    return file.startsWith(folder);
  }

  /** Returns all fenced blocks in order. */
  public List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith(FENCE)) {
        Block block = blockAt(i);
        blocks.add(block);
        i += block.lines().size() + 1;
      }
    }
    return List.copyOf(blocks);
  }

  /** Returns the blocks of one language. */
  public List<Block> blocks(String language) {
    return blocks().stream().filter(block -> block.language().equals(language)).toList();
  }

  private Block blockAt(int fence) {
    int end = endOf(fence);
    String language = lines.get(fence).substring(FENCE.length()).strip();
    return new Block(language, fence + 1, lines.subList(fence + 1, end), printedAfter(end));
  }

  /** Returns the line of the closing fence of a block. */
  private int endOf(int fence) {
    int end = fence + 1;
    while (!lines.get(end).startsWith(FENCE)) {
      end++;
    }
    return end;
  }

  private Optional<String> printedAfter(int end) {
    int next = end + 1;
    while (next < lines.size() && lines.get(next).isBlank()) {
      next++;
    }
    if (next == lines.size() || !lines.get(next).equals(FENCE + "text")) {
      return Optional.empty();
    }
    return Optional.of(String.join("\n", lines.subList(next + 1, endOf(next))));
  }

  /**
   * Returns the part below a heading, up to the next heading of its level or of a higher one.
   *
   * @throws AssertionError if there is no such heading
   */
  public Page section(String heading) {
    for (int begin = 0; begin < lines.size(); begin++) {
      int level = lines.get(begin).indexOf(' ');
      if (HEADING.matcher(lines.get(begin)).matches()
          && lines.get(begin).substring(level + 1).equals(heading)) {
        int end = begin + 1;
        while (end < lines.size() && !lines.get(end).matches("#{1," + level + "} .*")) {
          end++;
        }
        return new Page(file, lines.subList(begin, end));
      }
    }
    throw new AssertionError(file + " has no heading '" + heading + "'");
  }

  /**
   * Returns the rows of each table whose first column has this title.
   *
   * @param title such as {@code argument}
   */
  public List<List<TableRow>> tables(String title) {
    List<List<TableRow>> tables = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith("| " + title + " |")) {
        List<TableRow> rows = new ArrayList<>();
        for (int row = i + 2; row < lines.size() && lines.get(row).startsWith("|"); row++) {
          rows.add(TableRow.of(lines.get(row)));
        }
        tables.add(List.copyOf(rows));
      }
    }
    return List.copyOf(tables);
  }

  /** Returns the targets of links and images outside comments. */
  public List<String> links() {
    String text =
        COMMENT.matcher(String.join("\n", prose())).replaceAll("").replaceAll("`[^`\n]*`", "``");
    return LINK.matcher(text).results().map(link -> link.group(1)).toList();
  }

  /** Returns the anchors of the headings, by GitHub's rules. */
  public Set<String> anchors() {
    Set<String> anchors = new HashSet<>();
    Map<String, Integer> repeated = new HashMap<>();
    prose().stream()
        .map(HEADING::matcher)
        .filter(heading -> heading.matches())
        .map(heading -> anchor(heading.group(1)))
        .forEach(
            anchor -> {
              int before = repeated.merge(anchor, 1, Integer::sum) - 1;
              anchors.add(before == 0 ? anchor : anchor + "-" + before);
            });
    return anchors;
  }

  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
  }

  /** Returns the lines outside fenced blocks. */
  private List<String> prose() {
    List<String> prose = new ArrayList<>();
    boolean inside = false;
    for (String line : lines) {
      boolean fence = line.startsWith(FENCE);
      inside ^= fence;
      if (!inside && !fence) {
        prose.add(line);
      }
    }
    return prose;
  }

  /** Returns the path, which JUnit displays. */
  @Override
  public String toString() {
    return file.toString();
  }
}
