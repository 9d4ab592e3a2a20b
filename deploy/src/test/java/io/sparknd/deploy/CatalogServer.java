/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import io.sparknd.table.RestServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The service {@code catalog} of {@code docker-compose.yml}, configured by the variables of its
 * image.
 */
final class CatalogServer {
  private static final int PORT = 8181;
  private static final String PREFIX = "CATALOG_";

  private CatalogServer() {}

  public static void main(String[] arguments) throws IOException {
    RestServer.start(settings(System.getenv()), new InetSocketAddress(PORT));
  }

  /**
   * Converts variables to settings as the image does: {@code CATALOG_S3_PATH__STYLE__ACCESS} is
   * {@code s3.path-style-access}.
   */
  static Map<String, String> settings(Map<String, ?> environment) {
    Map<String, String> settings = new HashMap<>();
    environment.forEach(
        (name, value) -> {
          if (name.startsWith(PREFIX)) {
            String setting = name.substring(PREFIX.length()).replace("__", "-");
            settings.put(setting.replace('_', '.').toLowerCase(Locale.ROOT), value.toString());
          }
        });
    return settings;
  }
}
