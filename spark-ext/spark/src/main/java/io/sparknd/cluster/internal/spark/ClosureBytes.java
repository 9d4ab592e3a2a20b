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

  /** Returns the serialized value, for tasks to {@link #read}. */
  public static byte[] of(Object value) {
    ByteBuffer bytes = serializer().serialize(value, ClassTag$.MODULE$.apply(Object.class));
    int from = bytes.arrayOffset() + bytes.position();
    return Arrays.copyOfRange(bytes.array(), from, from + bytes.remaining());
  }

  /**
   * Returns the value of bytes, each time another one. For tasks, whose class loader finds its
   * class. Accumulators in it are those of the task only if the bytes are from the driver.
   */
  public static <T> T read(byte[] bytes, Class<? super T> type) {
    ClassTag<T> tag = ClassTag$.MODULE$.apply(type);
    return serializer()
        .deserialize(ByteBuffer.wrap(bytes), Thread.currentThread().getContextClassLoader(), tag);
  }

  private static SerializerInstance serializer() {
    return SparkEnv.get().closureSerializer().newInstance();
  }
}
