/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.sql;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Reads statements from a terminal, with history and completion, until {@code exit} or end of
 * input.
 */
final class SqlShell {
  private static final String PROMPT = "sparknd> ";
  private static final String NEXT_LINE = "      -> ";

  private final SqlSession session;

  SqlShell(SqlSession session) {
    this.session = session;
  }

  /** Reads and runs statements. Errors are printed and do not end the loop. */
  void run() throws IOException {
    try (Terminal terminal = TerminalBuilder.terminal()) {
      LineReader reader = reader(terminal);
      PrintWriter out = terminal.writer();
      out.println("Statements end with a semicolon; Tab completes, exit quits.");
      String script = next(reader);
      while (script != null) {
        runAll(script, out);
        script = next(reader);
      }
    }
  }

  private LineReader reader(Terminal terminal) {
    Path home = Path.of(System.getProperty("user.home"));
    LineReaderBuilder builder =
        LineReaderBuilder.builder()
            .appName("sparknd")
            .terminal(terminal)
            .parser(new WholeStatements())
            .completer(new SqlCompleter(session.spark()))
            .history(new PrivateHistory())
            .variable(LineReader.SECONDARY_PROMPT_PATTERN, NEXT_LINE)
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true);
    PrivateHistory.file(home).ifPresent(file -> builder.variable(LineReader.HISTORY_FILE, file));
    return builder.build();
  }

  /** Returns the next input, or null at its end. */
  private static @Nullable String next(LineReader reader) {
    while (true) {
      try {
        String line = reader.readLine(PROMPT);
        return isExit(line) ? null : line;
      } catch (UserInterruptException e) {
        // Ctrl-C discards the current input; the loop reads the next
      } catch (EndOfFileException e) {
        return null;
      }
    }
  }

  private static boolean isExit(String line) {
    String word = line.strip().replaceAll(";$", "").strip().toLowerCase(Locale.ROOT);
    return word.equals("exit") || word.equals("quit");
  }

  private void runAll(String script, PrintWriter out) {
    try {
      List<String> statements = SqlStatements.of(script);
      statements.forEach(session::run);
    } catch (Exception e) {
      out.println(StatementErrors.message(e));
      out.flush();
    }
  }

  /** Requests more lines until a semicolon ends the statement. */
  private static final class WholeStatements implements Parser {
    private final DefaultParser words =
        new DefaultParser().escapeChars(null).quoteChars(new char[0]);

    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
      boolean accepts = context == ParseContext.ACCEPT_LINE || context == ParseContext.UNSPECIFIED;
      if (accepts && !SqlStatements.isComplete(line) && !isExit(line)) {
        throw new EOFError(-1, -1, "the statement goes on");
      }
      return words.parse(line, cursor, context);
    }
  }
}
