/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.rows.NumberedRows;
import io.sparknd.op.SliceOffsets;
import io.sparknd.tensor.Storage;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Updates or requests that the driver holds, distributed to the partitions of a tensor on the
 * driver. A shuffle would not help: all data leaves the driver anyway, and each task can fetch its
 * own.
 *
 * <p>Batches travel in packets, each a broadcast. A task fetches the packets of its partition, no
 * task description grows with the data, and a small call is one packet.
 */
public final class BroadcastBatches implements Serializable {
  private static final long serialVersionUID = 1;

  private static final long PACKET_BYTES = 4 << 20;

  private final Storage storage;
  private final List<Broadcast<Packet>> packets = new ArrayList<>();
  private final int[] firstPacket;
  private final int[] lastPacket;

  /** Observes which pieces each partition receives. */
  public interface PieceObserver {
    /** Observes the first {@code count} of {@code locals}, which are pieces of {@code owner}. */
    void observe(int owner, long[] locals, int count);
  }

  private BroadcastBatches(Storage storage, int partitions) {
    this.storage = storage;
    this.firstPacket = new int[partitions];
    this.lastPacket = new int[partitions];
  }

  /**
   * Distributes updates to the owners of their slices.
   *
   * @param offsets offsets of slices, one for each slot
   * @param payload one slice for each slot
   * @param observer may be null
   */
  public static BroadcastBatches updates(
      SparkSession session,
      long[] offsets,
      Storage storage,
      Object payload,
      Pieces pieces,
      @Nullable PieceObserver observer) {
    Distributor distributor = new Distributor(offsets, storage, payload, pieces.units(), pieces);
    BroadcastBatches updates = distributor.distribute(session);
    if (observer != null) {
      distributor.show(observer);
    }
    return updates;
  }

  /**
   * Distributes requests for slices. Each piece of a request carries its position in the result.
   */
  public static BroadcastBatches requests(SparkSession session, long[] offsets, Pieces pieces) {
    int places = Math.toIntExact(offsets.length * pieces.perSlice());
    long[] payload = LongStream.range(0, places).toArray();
    return new Distributor(offsets, Storage.LONG, payload, 1, pieces).distribute(session);
  }

  /** Returns the batches for one partition, as a shuffle would deliver them. */
  public Iterator<Tuple2<BatchKey, ShuffleBatch>> batches(int partition) {
    return IntStream.rangeClosed(firstPacket[partition], lastPacket[partition])
        .mapToObj(number -> batch(partition, number))
        .iterator();
  }

  private Tuple2<BatchKey, ShuffleBatch> batch(int partition, int number) {
    NumberedRows chunk = packets.get(number).value().chunk(partition);
    int units = storage.length(chunk.payload());
    return new Tuple2<>(
        new BatchKey(partition, 0, number),
        new ShuffleBatch(storage, chunk.count(), chunk.numbers(), null, chunk.payload(), units));
  }

  /**
   * The chunks of consecutive partitions, at most one of each. It is not a record, as Kryo cannot
   * construct records.
   */
  private static final class Packet implements Serializable {
    private static final long serialVersionUID = 1;

    private final int firstPartition;
    private final NumberedRows[] chunks;

    Packet(int firstPartition, List<NumberedRows> chunks) {
      this.firstPartition = firstPartition;
      this.chunks = chunks.toArray(new NumberedRows[0]);
    }

    NumberedRows chunk(int partition) {
      return chunks[partition - firstPartition];
    }
  }

  /** Distributes pieces in their order. */
  private static final class Distributor {
    private final long[] offsets;
    private final Storage storage;
    private final Object payload;
    private final int units;
    private final Pieces pieces;
    private final int most;
    private final NumberedRows[][] chunks;
    private final int[] counts;

    Distributor(long[] offsets, Storage storage, Object payload, int units, Pieces pieces) {
      this.offsets = offsets;
      this.storage = storage;
      this.payload = payload;
      this.units = units;
      this.pieces = pieces;
      this.counts = new int[pieces.partitions()];
      this.chunks = new NumberedRows[pieces.partitions()][];
      long pieceBytes = 8 + (long) units * BlockLayout.unitBytes(storage);
      this.most = (int) Math.max(1, PACKET_BYTES / pieceBytes);
    }

    BroadcastBatches distribute(SparkSession session) {
      forEachPiece((owner, local, row) -> counts[owner]++);
      Arrays.setAll(chunks, owner -> emptyChunks(counts[owner]));
      Arrays.fill(counts, 0);
      forEachPiece(this::put);
      return packed(JavaSparkContext.fromSparkContext(session.sparkContext()));
    }

    void show(PieceObserver observer) {
      for (int owner = 0; owner < chunks.length; owner++) {
        for (NumberedRows chunk : chunks[owner]) {
          observer.observe(owner, chunk.numbers(), chunk.count());
        }
      }
    }

    private interface PieceVisitor {
      void visit(int owner, long local, int row);
    }

    private void forEachPiece(PieceVisitor visitor) {
      for (int slot = 0; slot < offsets.length; slot++) {
        long first = offsets[slot] * pieces.perSlice();
        for (int i = 0; i < pieces.perSlice() && offsets[slot] != SliceOffsets.DROPPED; i++) {
          int row = slot * (int) pieces.perSlice() + i;
          visitor.visit(pieces.owner(first + i), pieces.local(first + i), row);
        }
      }
    }

    private NumberedRows[] emptyChunks(int count) {
      NumberedRows[] empty = new NumberedRows[Math.max(1, -Math.floorDiv(-count, most))];
      for (int i = 0; i < empty.length; i++) {
        int size = Math.min(most, count - i * most);
        empty[i] = new NumberedRows(new long[size], size, storage.allocate(size * units));
      }
      return empty;
    }

    private void put(int owner, long local, int row) {
      int place = counts[owner]++;
      NumberedRows chunk = chunks[owner][place / most];
      int at = place % most;
      chunk.numbers()[at] = local;
      System.arraycopy(payload, row * units, chunk.payload(), at * units, units);
    }

    /**
     * Packs chunks into packets. A full chunk ends its packet, so no packet has two of one
     * partition.
     */
    private BroadcastBatches packed(JavaSparkContext spark) {
      BroadcastBatches updates = new BroadcastBatches(storage, chunks.length);
      List<NumberedRows> open = new ArrayList<>();
      int pieceCount = 0;
      for (int owner = 0; owner < chunks.length; owner++) {
        updates.firstPacket[owner] = updates.packets.size();
        for (NumberedRows chunk : chunks[owner]) {
          open.add(chunk);
          pieceCount += chunk.count();
          updates.lastPacket[owner] = updates.packets.size();
          if (pieceCount >= most) {
            updates.send(spark, owner, open);
            pieceCount = 0;
          }
        }
      }
      updates.send(spark, chunks.length - 1, open);
      return updates;
    }
  }

  /** Broadcasts the chunks in {@code open}, the last of which belongs to {@code lastPartition}. */
  private void send(JavaSparkContext spark, int lastPartition, List<NumberedRows> open) {
    if (!open.isEmpty()) {
      packets.add(spark.broadcast(new Packet(lastPartition - open.size() + 1, open)));
      open.clear();
    }
  }
}
