/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the progress lines of trainings. */
class TrainingLogTest {
  private final Logger logger = (Logger) LogManager.getLogger(Training.class);
  private final Level level = logger.getLevel();
  private final List<String> lines = new ArrayList<>();
  private final AbstractAppender appender =
      new AbstractAppender("lines", null, null, false, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
          lines.add(event.getMessage().getFormattedMessage());
        }
      };

  @BeforeEach
  void listen() {
    appender.start();
    logger.addAppender(appender);
    logger.setLevel(Level.INFO);
  }

  @AfterEach
  void stopListening() {
    logger.removeAppender(appender);
    logger.setLevel(level);
    appender.stop();
  }

  @Test
  void ratesOfASecondRunCountFromItsBeginning() {
    TrainingLog log = new TrainingLog();
    log.stepped(new TrainedStep(0, new Loss(1, 40), 20), 3);
    log.stepped(new TrainedStep(1, new Loss(1, 40), 22), 3); // fails before its last step
    log.ended();
    log.stepped(new TrainedStep(0, new Loss(1, 40), 2), 3);
    log.stepped(new TrainedStep(1, new Loss(1, 40), 10), 3);
    log.ended();
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0)).contains("Step 1 of 3").contains(" 2 examples/s");
    assertThat(lines.get(1)).contains("Step 2 of 3").contains(" 8 examples/s");
  }
}
