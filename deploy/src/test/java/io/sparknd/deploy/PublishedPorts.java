/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;

/** The ports of this machine that a Compose file publishes, as {@code ADDRESS:PORT:PORT}. */
final class PublishedPorts {
  private PublishedPorts() {}

  /** Returns those on which another process listens. */
  static List<String> taken(ComposeFile file) {
    return file.services().values().stream()
        .flatMap(service -> service.ports().stream())
        .filter(PublishedPorts::isTaken)
        .toList();
  }

  private static boolean isTaken(String published) {
    String[] parts = published.split(":");
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(parts[0], Integer.parseInt(parts[1])));
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
