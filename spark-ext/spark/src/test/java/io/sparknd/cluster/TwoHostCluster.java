/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.master.Master;
import org.apache.spark.deploy.worker.Worker;
import org.apache.spark.rpc.RpcEnv;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.sql.SparkSession;
import scala.Option;

/**
 * A Spark session with speculation and an executor of two cores on each of two hosts, which are
 * addresses of the loopback interface. Spark starts the second attempt of a task on another host
 * than the first, so there is none in a {@link LocalCluster}, which has one host.
 */
public final class TwoHostCluster implements AutoCloseable {
  private static final int CORES = 2;
  private static final int MEBIBYTES = 1024;

  private static final Map<String, String> SPECULATION =
      Map.of(
          "spark.speculation", "true",
          "spark.speculation.multiplier", "1",
          "spark.speculation.quantile", "0.1",
          "spark.speculation.minTaskRuntime", "1ms",
          "spark.speculation.interval", "2ms");

  private final List<RpcEnv> daemons;
  private final LocalCluster cluster;
  private final AtomicInteger second = new AtomicInteger();

  private TwoHostCluster(List<RpcEnv> daemons, LocalCluster cluster) {
    this.daemons = daemons;
    this.cluster = cluster;
  }

  /** Starts the cluster and stops the shared session of the tests in this JVM. */
  public static TwoHostCluster start(Map<String, String> settings) throws IOException {
    SparkConf conf = new SparkConf(false).set("spark.master.rest.enabled", "false");
    RpcEnv master = Master.startRpcEnvAndEndpoint("127.0.0.1", 0, 0, conf)._1();
    String address = "spark://" + master.address().hostPort();
    List<RpcEnv> daemons = new ArrayList<>(List.of(master));
    for (int host = 1; host <= 2; host++) {
      daemons.add(worker(host, address, conf));
    }
    Map<String, String> all = new HashMap<>(SPECULATION);
    all.put("spark.master", address);
    all.put("spark.driver.host", "127.0.0.1");
    all.putAll(settings);
    TwoHostCluster started = new TwoHostCluster(daemons, LocalCluster.start(all));
    started.cluster.processes(); // waits for both
    started.session().sparkContext().addSparkListener(started.counter());
    return started;
  }

  private static RpcEnv worker(int host, String master, SparkConf conf) throws IOException {
    Path work = Files.createDirectories(Path.of(System.getenv("SPARK_HOME"), "work"));
    return Worker.startRpcEnvAndEndpoint(
        "127.0.0." + host,
        0,
        0,
        CORES,
        MEBIBYTES,
        new String[] {master},
        work.toString(),
        Option.apply(host),
        conf,
        Option.empty());
  }

  private SparkListener counter() {
    return new SparkListener() {
      @Override
      public void onTaskStart(SparkListenerTaskStart start) {
        if (start.taskInfo().speculative()) {
          second.incrementAndGet();
        }
      }
    };
  }

  public SparkSession session() {
    return cluster.session();
  }

  /** Returns how many tasks have had a second attempt while the first ran. */
  public int speculated() {
    return second.get();
  }

  /**
   * Sleeps at the first call for a file, in whatever JVM. The task of that call gets a second
   * attempt, which does not sleep.
   */
  public static void sleepOnce(String file) {
    try {
      Files.createFile(Path.of(file));
    } catch (IOException exists) {
      return;
    }
    try {
      Thread.sleep(20_000);
    } catch (InterruptedException e) {
      throw new IllegalStateException("the second attempt was faster", e);
    }
  }

  @Override
  public void close() {
    cluster.close();
    daemons.forEach(RpcEnv::shutdown);
    daemons.forEach(RpcEnv::awaitTermination);
  }
}
