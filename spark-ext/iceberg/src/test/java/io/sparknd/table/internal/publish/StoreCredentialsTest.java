/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.SlowDriver;
import io.sparknd.table.publish.JdbcSink;
import io.sparknd.table.publish.ValueFormat;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that errors have no passwords, whatever a driver says. */
class StoreCredentialsTest {
  /** Says all that it knows, as some drivers do of an address that they cannot parse. */
  public static final class TelltaleDriver extends SlowDriver {
    @Override
    public boolean acceptsURL(String url) {
      return true;
    }

    @Override
    public Connection connect(String url, Properties info) throws SQLException {
      String tail = url.substring(url.indexOf('?') + 1);
      throw new SQLException("cannot parse", new IOException("near '" + tail + "', " + info));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:tell://h/d?useSSL=false&amp;user=feeder&amp;password=hunter2",
        "jdbc:tell://h/d?user=feeder;Password = hunter2;ssl=true",
        "jdbc:tell://feeder:hunter2@h/d",
        "jdbc:tell://h/d?sslpassword=hunter2"
      })
  void messagesAndCausesHaveNone(String url) {
    JdbcSink sink =
        JdbcSink.at(url)
            .withProperty("driver", TelltaleDriver.class.getName())
            .withProperty("password", "correct horse");
    SinkStores stores =
        new SinkStores(
            StoreAddress.of(sink),
            "users",
            new PublishedColumns(List.of(), List.of(), List.of(), ValueFormat.BYTES));
    assertThatThrownBy(stores::open)
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("near '")
        .satisfies(
            e ->
                assertThat(Throwables.getStackTrace(e))
                    .doesNotContain("hunter2")
                    .doesNotContain("correct horse"));
  }

  @Test
  void otherFailuresStayAsTheyAre() {
    StoreAddress address = StoreAddress.of(JdbcSink.at("jdbc:tell://h/d?password=hunter2"));
    SQLException refused = new SQLException("no key 5 in table users", "23505");
    assertThat(StoreCredentials.of(address).hiddenIn(refused)).isSameAs(refused);
    assertThat(StoreCredentials.of(address).values()).containsExactly("hunter2");
  }
}
