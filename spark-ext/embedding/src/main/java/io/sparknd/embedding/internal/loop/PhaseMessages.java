/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import scala.Tuple2;

/**
 * The messages of one phase of a {@link LocalRun}, in memory. Sending and receiving are phases of
 * their own, so no lock is needed.
 */
final class PhaseMessages {
  /** The last messages of each sender by receiver. */
  private final List<Map<Integer, List<Tuple2<BatchKey, ShuffleBatch>>>> sent;

  PhaseMessages(int senders) {
    this.sent = new ArrayList<>();
    for (int i = 0; i < senders; i++) {
      sent.add(new HashMap<>());
    }
  }

  /** Replaces the messages of a sender. Their keys contain the receivers. */
  void send(int sender, List<Tuple2<BatchKey, ShuffleBatch>> messages) {
    sent.set(
        sender,
        messages.stream().collect(Collectors.groupingBy(message -> message._1().partition())));
  }

  /** Returns the messages to a receiver in the order of their keys. */
  List<Tuple2<BatchKey, ShuffleBatch>> to(int receiver) {
    return sent.stream()
        .flatMap(messages -> messages.getOrDefault(receiver, List.of()).stream())
        .sorted(Comparator.comparing(Tuple2::_1))
        .toList();
  }
}
