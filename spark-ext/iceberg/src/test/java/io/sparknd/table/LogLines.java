/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** The lines that a logger writes at INFO and above, until closed. */
final class LogLines extends AbstractAppender implements AutoCloseable {
  private final List<LogEvent> events = new CopyOnWriteArrayList<>();
  private final Logger logger;

  private LogLines(Logger logger) {
    super("lines", null, null, false, Property.EMPTY_ARRAY);
    this.logger = logger;
  }

  /**
   * Begins to listen.
   *
   * @param logger name of the logger, below {@code io.sparknd}
   */
  static LogLines of(String logger) {
    LogLines lines = new LogLines((Logger) LogManager.getLogger("io.sparknd." + logger));
    lines.start();
    lines.logger.addAppender(lines);
    lines.logger.setLevel(Level.INFO);
    return lines;
  }

  @Override
  public void append(LogEvent event) {
    events.add(event.toImmutable());
  }

  /** Returns the lines with level and the value of a key in the context, if they have it. */
  List<String> with(String key) {
    return events.stream()
        .map(
            event ->
                event.getLevel()
                    + " "
                    + event.getContextData().getValue(key)
                    + ": "
                    + event.getMessage().getFormattedMessage())
        .toList();
  }

  @Override
  public void close() {
    logger.setLevel(Level.WARN);
    logger.removeAppender(this);
    stop();
  }
}
