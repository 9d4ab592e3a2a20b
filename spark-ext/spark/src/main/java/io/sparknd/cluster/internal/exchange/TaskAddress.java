/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.exchange;

/**
 * Where a task receives messages.
 *
 * @param mailbox number of its mailbox in the executor
 */
record TaskAddress(String host, int port, long mailbox) {
  private static final int PARTS = 3;

  /** Reads what {@link #toString} returns. */
  static TaskAddress parse(String text) {
    String[] parts = text.split("/", PARTS); // a host may be an IPv6 address
    return new TaskAddress(parts[0], Integer.parseInt(parts[1]), Long.parseLong(parts[2]));
  }

  /** Returns whether both are in the same executor. */
  boolean isBeside(TaskAddress other) {
    return host.equals(other.host) && port == other.port;
  }

  @Override
  public String toString() {
    return host + "/" + port + "/" + mailbox;
  }
}
