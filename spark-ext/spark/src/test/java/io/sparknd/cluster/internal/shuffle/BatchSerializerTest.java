/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.tensor.Storage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.apache.spark.serializer.SerializationStream;
import org.junit.jupiter.api.Test;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Tests streams of batches, as Spark's readers of a shuffle read them. */
class BatchSerializerTest {
  private static final int BATCHES = 3;
  private static final ClassTag<Object> ANY = ClassTag$.MODULE$.Object();

  private final BatchSerializer serializer = new BatchSerializer(Storage.FLOAT);

  /** The length of the stream after each batch. */
  private final TreeSet<Integer> ends = new TreeSet<>();

  private byte[] written() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    SerializationStream stream = serializer.newInstance().serializeStream(bytes);
    for (int i = 0; i < BATCHES; i++) {
      stream.writeKey(new BatchKey(-2 - i, i, 300 * i), ANY);
      int[] rows = i == 0 ? null : new int[] {0, 0};
      stream.writeValue(
          new ShuffleBatch(Storage.FLOAT, 2, new long[] {i, 7}, rows, new float[] {1, i}, 2), ANY);
      ends.add(bytes.size());
    }
    stream.close();
    return bytes.toByteArray();
  }

  private List<Object> read(byte[] bytes) {
    List<Object> keys = new ArrayList<>();
    var batches =
        serializer
            .newInstance()
            .deserializeStream(new ByteArrayInputStream(bytes))
            .asKeyValueIterator();
    while (batches.hasNext()) {
      keys.add(batches.next()._1());
    }
    return keys;
  }

  @Test
  void everyBatchIsRead() {
    assertThat(read(written()))
        .containsExactly(
            new BatchKey(-2, 0, 0), new BatchKey(-3, 1, 300), new BatchKey(-4, 2, 600));
  }

  /** Spark takes an EOFException for the end, whose rows would be lost without an error. */
  @Test
  void aStreamThatEndsInsideABatchIsAnError() {
    byte[] bytes = written();
    for (int length = 1; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      if (ends.contains(length)) {
        assertThat(read(cut)).hasSize(ends.headSet(length, true).size());
      } else {
        assertThatThrownBy(() -> read(cut))
            .isInstanceOf(IOException.class)
            .hasMessage("a shuffle's stream ends inside a batch");
      }
    }
  }
}
