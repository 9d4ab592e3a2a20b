/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.table.RedisServer;
import io.sparknd.table.internal.key.KeyColumn;
import io.sparknd.table.internal.key.KeyType;
import io.sparknd.table.publish.JdbcSink;
import io.sparknd.table.publish.PublishSink;
import io.sparknd.table.publish.RedisSink;
import io.sparknd.table.publish.ValueFormat;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

/** Tests that stores take changes of the last step only. */
class SinkStoreTest {
  private static final TableState EMPTY = new TableState(Optional.empty());
  private static final TableState LATER = new TableState(Optional.of(42L));

  @Test
  void databaseTakesOnlyTheLastStep() throws Exception {
    check(JdbcSink.at("jdbc:sqlite:" + Files.createTempFile("sparknd", ".db")));
    try (java.sql.Connection open = java.sql.DriverManager.getConnection("jdbc:h2:mem:steps")) {
      check(JdbcSink.at("jdbc:h2:mem:steps"));
      assertThat(open.isValid(1)).isTrue();
    }
  }

  @Test
  void redisTakesOnlyTheLastStep() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      check(RedisSink.at(server.address()));
    }
  }

  private static void check(PublishSink sink) {
    PublishedColumns columns =
        new PublishedColumns(
            List.of(new KeyColumn("user", 1, KeyType.STRING)),
            List.of(),
            List.of(),
            ValueFormat.BYTES);
    SinkStores stores = new SinkStores(StoreAddress.of(sink), "users", columns);
    PublishedRow row = new PublishedRow(new Object[] {UTF8String.fromString("u1")}, List.of(), 0);
    try (SinkStore first = stores.open();
        SinkStore second = stores.open()) {
      assertThat(first.position()).isEmpty();
      SinkPosition one = step(1, Optional.empty(), columns);
      assertThat(first.begin(Optional.empty(), one)).isTrue();
      assertThat(first.write(1, List.of(row))).isPositive();
      assertThat(second.position()).contains(one);

      SinkPosition two = step(2, Optional.of(EMPTY), columns);
      assertThat(second.begin(Optional.of(one), two)).isTrue();
      assertThat(first.begin(Optional.of(one), two)).isFalse();
      assertThat(first.write(1, List.of(row))).isEqualTo(-1);
      assertThat(first.deleteOlder(1)).isEqualTo(-1);
      assertThat(first.end(one.ended(columns.text()))).isFalse();
      assertThat(second.position()).contains(two);

      assertThat(second.deleteOlder(2)).isEqualTo(1);
      assertThat(second.end(two.ended(columns.text()))).isTrue();
      assertThat(first.position()).contains(two.ended(columns.text()));
    }
  }

  private static SinkPosition step(
      long epoch, Optional<TableState> from, PublishedColumns columns) {
    return new SinkPosition(
        "lake.shop.users",
        new UUID(1, 2),
        epoch,
        from,
        Optional.of(new PublishStep(from, LATER)),
        columns.text());
  }
}
