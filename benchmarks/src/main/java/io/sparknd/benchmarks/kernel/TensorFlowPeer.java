/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import java.nio.FloatBuffer;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.Result;
import org.tensorflow.Session;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.ndarray.buffer.DataBuffers;
import org.tensorflow.ndarray.buffer.FloatDataBuffer;
import org.tensorflow.op.Op;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.Placeholder;
import org.tensorflow.op.core.ReadVariableOp;
import org.tensorflow.op.core.VarHandleOp;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TInt64;

/**
 * TensorFlow on a variable. Scatters update it in place; gathers create a new result, because
 * TensorFlow has no other gather.
 */
final class TensorFlowPeer implements Peer {
  private final Work work;
  private final Graph graph = new Graph();
  private final Session session;
  private final Placeholder<TFloat32> rowsIn;
  private final Placeholder<TInt64> indicesIn;
  private final Op step;
  private final ReadVariableOp<TFloat32> read;
  private final TFloat32 rows;
  private final TInt64 indices;
  private Result result;

  TensorFlowPeer(Operands operands, int threads) {
    work = operands.work();
    Ops tf = Ops.create(graph);
    VarHandleOp variable = tf.varHandleOp(TFloat32.class, Shape.of(work.dims()));
    rowsIn = tf.placeholder(TFloat32.class);
    indicesIn = tf.placeholder(TInt64.class);
    step = step(tf, variable);
    read = tf.readVariableOp(variable, TFloat32.class);
    Op assign = tf.assignVariableOp(variable, rowsIn);
    session = new Session(graph, config(threads));
    indices = TInt64.tensorOf(indexShape(), DataBuffers.of(operands.tuples(), true, false));
    rows = work.op().gathers() ? null : rows(operands.updates());
    try (TFloat32 tensor = TFloat32.tensorOf(Shape.of(work.dims()))) {
      FloatDataBuffer floats = tensor.asRawTensor().data().asFloats();
      operands.fill((from, chunk, length) -> floats.offset(from).write(chunk, 0, length));
      session.runner().feed(rowsIn, tensor).addTarget(assign).run().close();
    }
  }

  private TFloat32 rows(float[] updates) {
    return TFloat32.tensorOf(Shape.of(work.rowDims()), DataBuffers.of(updates, true, false));
  }

  /** For depth 1, uses operators with plain indices; those with tuples are slower. */
  private Shape indexShape() {
    return work.depth() == 1 ? Shape.of(work.count()) : Shape.of(work.tupleDims());
  }

  private Op step(Ops tf, Operand<?> variable) {
    return switch (work.op()) {
      case GATHER, GATHER_NEW -> tf.resourceGather(variable, indicesIn, TFloat32.class);
      case UPDATE ->
          work.depth() == 1
              ? tf.resourceScatterUpdate(variable, indicesIn, rowsIn)
              : tf.resourceScatterNdUpdate(variable, indicesIn, rowsIn);
      case ADD ->
          work.depth() == 1
              ? tf.resourceScatterAdd(variable, indicesIn, rowsIn)
              : tf.resourceScatterNdAdd(variable, indicesIn, rowsIn);
      case MAX -> tf.resourceScatterMax(variable, indicesIn, rowsIn);
    };
  }

  private static ConfigProto config(int threads) {
    return ConfigProto.newBuilder()
        .setIntraOpParallelismThreads(threads)
        .setInterOpParallelismThreads(1)
        .build();
  }

  @Override
  public String name() {
    return "TensorFlow " + step.op().type();
  }

  @Override
  public void run() {
    Session.Runner runner = session.runner().feed(indicesIn, indices);
    if (work.op().gathers()) {
      closeResult();
      result = runner.fetch((Operand<?>) step).run();
    } else {
      runner.feed(rowsIn, rows).addTarget(step).run().close();
    }
  }

  @Override
  public FloatBuffer answer() {
    if (work.op().gathers()) {
      return copy((TFloat32) result.get(0));
    }
    try (Result variable = session.runner().fetch(read).run()) {
      return copy((TFloat32) variable.get(0));
    }
  }

  private static FloatBuffer copy(TFloat32 tensor) {
    float[] copy = new float[Math.toIntExact(tensor.size())];
    tensor.asRawTensor().data().asFloats().read(copy);
    return FloatBuffer.wrap(copy);
  }

  private void closeResult() {
    if (result != null) {
      result.close();
    }
  }

  @Override
  public void close() {
    closeResult();
    session.close();
    graph.close();
    indices.close();
    if (rows != null) {
      rows.close();
    }
  }
}
