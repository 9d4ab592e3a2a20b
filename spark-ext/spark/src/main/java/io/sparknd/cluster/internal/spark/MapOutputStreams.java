/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.io.OutputStream;
import java.util.List;
import net.jpountz.lz4.LZ4BlockOutputStream;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.storage.ShuffleBlockId;
import scala.Product2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Writes records of a shuffle as Spark would, but compresses only what that makes smaller. If the
 * application sets {@code spark.shuffle.compress}, or another codec than LZ4, the streams are
 * Spark's.
 *
 * @param map the id of the map task
 */
record MapOutputStreams(SparkEnv env, ShuffleDependency<?, ?, ?> shuffle, long map) {
  private static final String COMPRESS = "spark.shuffle.compress";
  private static final String CODEC = "spark.io.compression.codec";
  private static final String LZ4 = "lz4";

  /** The executor id of the driver's own process. */
  private static final String DRIVER = "driver";

  private static final String BLOCK_SIZE = "spark.io.compression.lz4.blockSize";

  /**
   * A task in the driver's own process does not compress its first bytes: they cross no network,
   * and so few stay in the page cache.
   */
  private static final long LOCAL_BYTES = 256 << 20;

  private static final ClassTag<Object> ANY = ClassTag$.MODULE$.Any();

  /** Returns whether streams of one partition can follow each other in a file. */
  boolean canBeConcatenated() {
    return isOurs() && !env.serializerManager().encryptionEnabled();
  }

  /**
   * Writes records of one partition, and closes the stream.
   *
   * @param before bytes that the task wrote before
   */
  void write(List<Product2<?, ?>> records, int partition, long before, OutputStream to) {
    ShuffleBlockId block = new ShuffleBlockId(shuffle.shuffleId(), map, partition);
    OutputStream wrapped =
        isOurs() ? compressed(before, to) : env.serializerManager().wrapStream(block, to);
    SerializationStream stream = shuffle.serializer().newInstance().serializeStream(wrapped);
    for (Product2<?, ?> each : records) {
      stream.writeKey(each._1(), cast(ANY));
      stream.writeValue(each._2(), cast(ANY));
    }
    stream.close();
  }

  private boolean isOurs() {
    SparkConf conf = env.conf();
    return !conf.contains(COMPRESS) && conf.get(CODEC, LZ4).equals(LZ4);
  }

  /** Spark reads what this writes, for it is the format of its codec. */
  private OutputStream compressed(long before, OutputStream to) {
    boolean isLocal = env.executorId().equals(DRIVER);
    return new LZ4BlockOutputStream(
        env.serializerManager().wrapForEncryption(to),
        (int) env.conf().getSizeAsBytes(BLOCK_SIZE, "32k"),
        isLocal && before < LOCAL_BYTES
            ? SampledCompressor.ofNone()
            : SampledCompressor.ofSamples());
  }

  @SuppressWarnings("unchecked")
  private static <T> ClassTag<T> cast(ClassTag<?> tag) {
    return (ClassTag<T>) tag;
  }
}
