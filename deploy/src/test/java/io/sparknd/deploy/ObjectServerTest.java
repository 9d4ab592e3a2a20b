/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The S3 server of other tests. */
class ObjectServerTest {
  private static final String KEY = "k";

  /** Larger than socket buffers. */
  private static final byte[] OBJECT = new byte[32 << 20];

  private final HttpClient client = HttpClient.newHttpClient();

  /** A reader of many files keeps many responses open. */
  @Test
  void responsesThatAreNotReadBlockNoOtherRequest() throws Exception {
    try (ObjectServer server = ObjectServer.start(KEY)) {
      client.send(
          signed(server).PUT(BodyPublishers.ofByteArray(OBJECT)).build(),
          BodyHandlers.discarding());
      List<InputStream> unread = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        HttpResponse<InputStream> response =
            client.send(signed(server).build(), BodyHandlers.ofInputStream());
        assertThat(response.statusCode()).isEqualTo(200);
        unread.add(response.body());
      }
      assertThat(unread.get(9).readAllBytes()).hasSize(OBJECT.length);
      for (InputStream each : unread) {
        each.close();
      }
    }
  }

  private static HttpRequest.Builder signed(ObjectServer server) {
    return HttpRequest.newBuilder(URI.create(server.address() + "/bucket/object"))
        .header("Authorization", "Credential=" + KEY + "/")
        .timeout(Duration.ofSeconds(30));
  }
}
