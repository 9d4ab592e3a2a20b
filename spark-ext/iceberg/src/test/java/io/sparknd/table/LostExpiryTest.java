/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.HookedLake.COLUMNS;
import static io.sparknd.table.HookedLake.updates;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.op.Scatter;
import io.sparknd.table.internal.commit.TableExpiry;
import io.sparknd.table.options.Retention;
import io.sparknd.tensor.SparkNdException;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
      TensorTable table = scattered("lostexpiry", server);
      server.loseAnswers(1);
      table.expire(ALL);
      assertExpired(table);
      table.scatter(Scatter.add(), updates(0, 20, 1), COLUMNS);
      table.expire(ALL);
      assertThat(warnings).hasSize(1);
    }
  }

  @Test
  void aClosedConnectionIsALostAnswer(@TempDir Path directory) throws Exception {
    try (RestServer server = RestServer.start(directory)) {
      TensorTable table = scattered("closedexpiry", server);
      server.closeConnections(1);
      assertThatThrownBy(() -> table.expire(ALL))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("it is unknown how much of it was done");
      assertExpired(table);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCatalogThatStaysDownIsAnErrorThatNamesTheFiles(boolean isAnswered, @TempDir Path directory)
      throws Exception {
    try (RestServer server = RestServer.start(directory)) {
      TensorTable table = scattered("downexpiry" + isAnswered, server);
      if (isAnswered) {
        server.loseAnswers(1);
      } else {
        server.closeConnections(1);
      }
      server.failAfterCommit();
      assertThatThrownBy(() -> table.expire(ALL))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("unknown whether 2 snapshots of table " + table.name())
          .hasMessageContaining("their files may remain");
      server.recover();
      table.iceberg().refresh();
      assertThat(table.iceberg().snapshots()).hasSize(1);
    }
  }

  /** Returns a table of three snapshots in a catalog of its own. */
  private TensorTable scattered(String name, RestServer server) {
    String catalog = "spark.sql.catalog." + name;
    spark.conf().set(catalog, "org.apache.iceberg.spark.SparkCatalog");
    Map.of("type", "rest", "uri", server.address(), "rest.client.max-retries", "1")
        .forEach((key, value) -> spark.conf().set(catalog + "." + key, value));
    TensorTable table = TensorTable.create(spark, name + ".tests.t", HookedLake.spec());
    for (int i = 0; i < 3; i++) {
      table.scatter(Scatter.add(), updates(0, 20, 1), COLUMNS);
    }
    return table;
  }

  private void assertExpired(TensorTable table) {
    table.iceberg().refresh();
    assertThat(table.iceberg().snapshots()).hasSize(1);
    assertThat(warnings)
        .containsExactly(
            table.name()
                + ": 2 snapshots expired, but the catalog's answer was lost or the deletion of files"
                + " failed: their files may remain; Iceberg's remove_orphan_files deletes them");
  }
}
