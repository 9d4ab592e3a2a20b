/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.internal.rows.NumberedRows;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.oracle.RandomCalls;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.Random;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Tests cached, broadcast and collected objects with both of Spark's serializers. */
class SerializationTest {
  /** Spark's serializers. */
  enum By {
    JAVA,
    KRYO;

    private SerializerInstance serializer() {
      SparkConf conf = new SparkConf();
      Serializer serializer = this == JAVA ? new JavaSerializer(conf) : new KryoSerializer(conf);
      return serializer.newInstance();
    }

    <T> T roundTrip(T value, Class<T> type) {
      ClassTag<T> tag = ClassTag$.MODULE$.apply(type);
      SerializerInstance serializer = serializer();
      return serializer.deserialize(serializer.serialize(value, tag), tag);
    }
  }

  @ParameterizedTest
  @EnumSource
  void updatesKeepTheirBits(By by) {
    for (DType dtype : DType.values()) {
      Tensor payload = payload(dtype);
      NumberedRows chunk = new NumberedRows(new long[] {3, 1L << 40}, 2, payload.array());
      NumberedRows back = by.roundTrip(chunk, NumberedRows.class);
      assertThat(back.count()).isEqualTo(2);
      assertThat(back.numbers()).isEqualTo(chunk.numbers());
      TensorAssert.assertSameBits(Tensor.wrap(dtype, payload.shape(), back.payload()), payload);
    }
  }

  @ParameterizedTest
  @EnumSource
  void numbersWithoutRowsSurviveARoundTrip(By by) {
    NumberedRows back = by.roundTrip(new NumberedRows(new long[] {7}, 1), NumberedRows.class);
    assertThat((byte[]) back.payload()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void partitionsKeepTheirBits(By by) {
    for (DType dtype : DType.values()) {
      Tensor payload = payload(dtype);
      TensorPartition partition =
          TensorPartition.of(
              dtype.storage(), 5, new Object[] {payload.array(), payload.copy().array()});
      TensorPartition back = by.roundTrip(partition, TensorPartition.class);
      assertThat(back.index()).isEqualTo(5);
      assertThat(back.estimatedSize()).isGreaterThanOrEqualTo(partition.estimatedSize());
      for (Object block : back.blocks()) {
        TensorAssert.assertSameBits(Tensor.wrap(dtype, payload.shape(), block), payload);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void fillBlocksStillShareOneArrayAfterARoundTrip(By by) {
    BlockLayout layout = BlockLayout.of(DType.INT64, Shape.of(100, 4), new Partitioning(2, 64), 1);
    TensorPartition back =
        by.roundTrip(TensorPartition.filled(layout, 1, 9), TensorPartition.class);
    assertThat(back.blocks()).hasSize(25);
    assertThat(back.blocks()).allMatch(block -> block == back.blocks()[0]);
    assertThat(back.isFill(24)).isTrue();
    assertThat((long[]) back.blocks()[0]).containsOnly(9L);
  }

  private static Tensor payload(DType dtype) {
    return RandomCalls.tensor(dtype, Shape.of(500), new Random(dtype.bytes()));
  }
}
