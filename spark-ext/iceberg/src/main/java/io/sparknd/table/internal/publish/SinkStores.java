/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import io.sparknd.table.internal.PublicationErrors;
import java.io.Serializable;

/**
 * Opens connections to an online store.
 *
 * @param name of the publication
 */
record SinkStores(StoreAddress address, String name, PublishedColumns columns)
    implements Serializable {

  /**
   * Connects to the store.
   *
   * @throws io.sparknd.tensor.SparkNdException if it cannot be reached, or its client is missing
   */
  SinkStore open() {
    if (address.isJdbc()) {
      return JdbcStore.open(address, name, columns);
    }
    try {
      return RedisStore.open(address, name, columns);
    } catch (NoClassDefFoundError e) {
      throw PublicationErrors.noRedisClient(e);
    }
  }
}
