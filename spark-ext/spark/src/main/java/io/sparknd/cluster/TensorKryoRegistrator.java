/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import com.esotericsoftware.kryo.Kryo;
import io.sparknd.cluster.internal.spark.KryoClasses;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.serializer.KryoRegistrator;

/**
 * Registers the classes of distributed tensors and of table functions with Kryo, which needs that
 * only with {@code spark.kryo.registrationRequired=true}. Name this class in {@code
 * spark.kryo.registrator}.
 */
public final class TensorKryoRegistrator implements KryoRegistrator {
  private static final List<String> CLASSES =
      List.of(
          "files.TextSizes",
          "gather.IndexRows",
          "partition.RawUnits",
          "partition.TensorPartition",
          "rows.NumberedRows",
          "shuffle.BroadcastBatches$Packet");

  @Override
  public void registerClasses(Kryo kryo) {
    KryoClasses.register(kryo, "io.sparknd.cluster.internal.", CLASSES);
    kryo.register(ArrayList.class);
  }
}
