/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.exchange;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import java.util.List;
import scala.Tuple2;

/**
 * What a task receives in a phase.
 *
 * @param messages messages in the order of their keys
 * @param note the largest note of all senders, which all tasks receive
 */
public record ReceivedMessages(List<Tuple2<BatchKey, ShuffleBatch>> messages, int note) {}
