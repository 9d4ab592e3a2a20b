/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.spark.SparkEnv;
import org.apache.spark.serializer.SerializerInstance;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Serializes what tasks get, as Spark serializes tasks. */
public final class ClosureBytes {
  private ClosureBytes() {}

  /** Returns the serialized value. */
  public static byte[] of(Object value) {
    ByteBuffer bytes = serializer().serialize(value, ClassTag$.MODULE$.apply(Object.class));
    int from = bytes.arrayOffset() + bytes.position();
    return Arrays.copyOfRange(bytes.array(), from, from + bytes.remaining());
  }

  /** Returns the value of bytes. For tasks, whose class loader finds its class. */
  public static <T> T read(byte[] bytes, ClassTag<T> type) {
    return serializer()
        .deserialize(ByteBuffer.wrap(bytes), Thread.currentThread().getContextClassLoader(), type);
  }

  /** Returns what another task would get. For tasks. */
  public static <T> T copy(T value) {
    return read(of(value), ClassTag$.MODULE$.apply(value.getClass()));
  }

  private static SerializerInstance serializer() {
    return SparkEnv.get().closureSerializer().newInstance();
  }
}
