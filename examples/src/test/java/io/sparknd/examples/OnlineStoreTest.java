/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.examples.shop.OnlineStore;
import io.sparknd.table.TlsServer;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OnlineStoreTest {
  @ParameterizedTest
  @CsvSource({"localhost, true", "elsewhere.example.net, false"})
  void passwordsGoOnlyToTheHostOfTheCertificate(String host, boolean isTold, @TempDir Path folder)
      throws Exception {
    SSLContext former = SSLContext.getDefault();
    try (TlsServer server = TlsServer.start(folder, host)) {
      SSLContext.setDefault(server.context());
      assertThat(OnlineStore.isAt("rediss://feeder:secret@localhost:" + server.port())).isFalse();
      assertThat(server.received().contains("secret")).isEqualTo(isTold);
    } finally {
      SSLContext.setDefault(former);
    }
  }
}
