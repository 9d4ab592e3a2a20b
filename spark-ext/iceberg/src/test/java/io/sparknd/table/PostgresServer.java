/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A PostgreSQL server of Debian's package in a temporary directory. */
public final class PostgresServer implements AutoCloseable {
  static final String USER = "nd";
  private static final Path INSTALLED = Path.of("/usr/lib/postgresql");

  private final Path programs;
  private final Path data;
  private final int port;

  private PostgresServer(Path programs, Path data, int port) {
    this.programs = programs;
    this.data = data;
    this.port = port;
  }

  /** Starts a server. Skips the test if PostgreSQL is not installed. */
  static PostgresServer start() throws Exception {
    Optional<Path> programs = programs();
    assumeTrue(programs.isPresent(), "PostgreSQL is not installed");
    Path data = Files.createTempDirectory("sparknd-postgres");
    if (isRoot()) {
      run(List.of("chown", "postgres", data.toString()));
    }
    PostgresServer server = new PostgresServer(programs.get(), data, freePort());
    server.program("initdb", "-D", data.toString(), "-A", "trust", "-U", USER, "--no-sync");
    server.startAgain();
    return server;
  }

  private static Optional<Path> programs() throws IOException {
    if (!Files.isDirectory(INSTALLED)) {
      return Optional.empty();
    }
    try (Stream<Path> versions = Files.list(INSTALLED)) {
      return versions
          .map(version -> version.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
          .max(Comparator.naturalOrder());
    }
  }

  /** Returns a port of the loopback interface that no server uses. */
  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private String options() {
    return "-p " + port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories=" + data;
  }

  String address() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
  }

  private void program(String name, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    if (isRoot()) { // the server does not run as root
      command.addAll(List.of("runuser", "-u", "postgres", "--"));
    }
    command.add(programs.resolve(name).toString());
    command.addAll(List.of(arguments));
    run(command);
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private static void run(List<String> command) throws Exception {
    Path output = Files.createTempFile("sparknd-postgres", ".out");
    Process process =
        new ProcessBuilder(command)
            .directory(Path.of("/").toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (process.waitFor() != 0) {
      throw new IOException(command + ": " + Files.readString(output));
    }
    Files.delete(output);
  }

  /** Stops the server as a crash would, without completing transactions. */
  void stop() throws Exception {
    program("pg_ctl", "-D", data.toString(), "-m", "immediate", "-w", "stop");
  }

  void startAgain() throws Exception {
    program("pg_ctl", "-D", data.toString(), "-w", "-l", data + "/log", "-o", options(), "start");
  }

  @Override
  public void close() throws Exception {
    stop();
    run(List.of("rm", "-r", data.toString()));
  }
}
