/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import java.io.Serializable;

/** Numbers of rows and bytes that were sent to an online store. */
record PublishCounts(long upserted, long deleted, long bytes) implements Serializable {
  static final PublishCounts NONE = new PublishCounts(0, 0, 0);

  PublishCounts plus(PublishCounts other) {
    return new PublishCounts(
        upserted + other.upserted, deleted + other.deleted, bytes + other.bytes);
  }
}
