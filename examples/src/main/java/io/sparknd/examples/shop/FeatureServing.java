/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.shop;

import static io.sparknd.examples.support.Console.say;

import io.sparknd.table.FeatureTable;
import io.sparknd.table.result.TablePublication;
import io.sparknd.tensor.SparkNdException;
import java.util.List;
import org.apache.spark.sql.Row;

/** Serves the features from Redis, if a server answers, and removes them in the end. */
final class FeatureServing {
  private static final int LOOKED_UP = 1000;

  private final FeatureTable table;
  private final String address;
  private boolean isPublished;

  /**
   * @param address address of the server
   */
  FeatureServing(FeatureTable table, String address) {
    this.table = table;
    this.address = address;
  }

  private OnlineStore store() {
    return new OnlineStore(table, address);
  }

  private boolean isServed() {
    try {
      return OnlineStore.isAt(address);
    } catch (NoClassDefFoundError e) { // on a cluster
      return false;
    }
  }

  /** Brings the server to the state of the table, and prints what was sent. */
  void publish() {
    if (!isPublished && !isServed()) {
      say(
          "online store",
          "no Redis server at %s, or no client on the class path: not published",
          address);
      return;
    }
    isPublished = true;
    try {
      long start = System.nanoTime();
      TablePublication done = store().publish();
      say(
          "online store",
          "%,d rows set and %,d deleted in Redis, %,d bytes, %.1f s",
          done.upserted(),
          done.deleted(),
          done.bytes(),
          seconds(start));
    } catch (SparkNdException e) {
      say("online store", "not published: %s", e.getMessage());
      remove();
    }
  }

  /**
   * Looks users up, and removes all rows from the server.
   *
   * @return whether they are as in the table, or nothing was published
   */
  boolean lookUp() {
    if (!isPublished) {
      return true;
    }
    List<Row> rows =
        table.toDataset().orderBy("user").limit(LOOKED_UP).select("user", "views").collectAsList();
    List<String> users = rows.stream().map(row -> row.getString(0)).toList();
    store().views(users); // connects, and loads classes
    long start = System.nanoTime();
    List<Long> views = store().views(users);
    double seconds = seconds(start);
    boolean isSame = views.equals(rows.stream().map(row -> row.getLong(1)).toList());
    say(
        "lookup",
        "%,d users in %.1f ms, %s to the table",
        users.size(),
        1000 * seconds,
        isSame ? "identical" : "DIFFERENT");
    remove();
    return isSame;
  }

  /** Removes all rows from the server, if some were published. */
  void remove() {
    if (!isPublished) {
      return;
    }
    isPublished = false;
    try {
      store()
          .remove(
              table.toDataset().select("user").collectAsList().stream()
                  .map(row -> row.getString(0))
                  .toList());
    } catch (RuntimeException e) { // not Jedis's own class, which a cluster has not
      say("online store", "rows named %s stay in Redis: %s", store().name(), e.getMessage());
    }
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) * 1e-9;
  }
}
