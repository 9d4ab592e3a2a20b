/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.HookedLake.COLUMNS;
import static io.sparknd.table.HookedLake.updates;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.op.Scatter;
import io.sparknd.table.internal.commit.TableExpiry;
import io.sparknd.table.options.Retention;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests an expiry that took effect although the catalog's answer was lost. */
class LostExpiryTest {
  private static final Retention ALL = Retention.of(Duration.ZERO);

  private final SparkSession spark = HookedLake.spark();
  private final Logger logger = (Logger) LogManager.getLogger(TableExpiry.class);
  private final List<String> warnings = new CopyOnWriteArrayList<>();
  private final AbstractAppender appender =
      new AbstractAppender("warnings", null, null, false, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
          if (event.getLevel().equals(Level.WARN)) {
            warnings.add(event.getMessage().getFormattedMessage());
          }
        }
      };

  @BeforeEach
  void listen() {
    appender.start();
    logger.addAppender(appender);
  }

  @AfterEach
  void stopListening() {
    logger.removeAppender(appender);
    appender.stop();
  }

  @Test
  void filesThatStayAreReported(@TempDir Path directory) throws Exception {
    try (RestServer server = RestServer.start(directory)) {
      String catalog = "spark.sql.catalog.lostexpiry";
      spark.conf().set(catalog, "org.apache.iceberg.spark.SparkCatalog");
      Map.of("type", "rest", "uri", server.address())
          .forEach((key, value) -> spark.conf().set(catalog + "." + key, value));
      TensorTable table = TensorTable.create(spark, "lostexpiry.tests.t", HookedLake.spec());
      for (int i = 0; i < 3; i++) {
        table.scatter(Scatter.add(), updates(0, 20, 1), COLUMNS);
      }
      server.loseAnswers(1);
      table.expire(ALL);
      table.iceberg().refresh();
      assertThat(table.iceberg().snapshots()).hasSize(1);
      assertThat(warnings)
          .containsExactly(
              "lostexpiry.tests.t: 2 snapshots expired, but the catalog's answer was lost: their"
                  + " files were not deleted; Iceberg's remove_orphan_files deletes them");
      table.scatter(Scatter.add(), updates(0, 20, 1), COLUMNS);
      table.expire(ALL);
      assertThat(warnings).hasSize(1);
    }
  }
}
