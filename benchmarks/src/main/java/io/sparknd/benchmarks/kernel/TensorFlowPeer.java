/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.Result;
import org.tensorflow.Session;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.ndarray.buffer.DataBuffers;
import org.tensorflow.op.Op;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.Placeholder;
import org.tensorflow.op.core.VarHandleOp;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.family.TType;

/**
 * TensorFlow on a variable. Scatters update it in place; gathers create a new result, because
 * TensorFlow has no other gather.
 */
final class TensorFlowPeer implements Peer {
  private final Work work;
  private final TensorFlowTensors tensors;
  private final Graph graph = new Graph();
  private final Session session;
  private final Placeholder<? extends TType> rowsIn;
  private final Placeholder<TInt64> indicesIn;
  private final Op step;
  private final Operand<? extends TType> read;
  private final TType rows;
  private final TInt64 indices;
  private Result fetched;

  TensorFlowPeer(Operands operands, int threads) {
    work = operands.work();
    tensors = new TensorFlowTensors(work.type());
    Ops tf = Ops.create(graph);
    VarHandleOp variable = tf.varHandleOp(tensors.type(), Shape.of(work.dims()));
    rowsIn = tf.placeholder(tensors.type());
    indicesIn = tf.placeholder(TInt64.class);
    step = step(tf, variable);
    read = tf.readVariableOp(variable, tensors.type());
    Op assign = tf.assignVariableOp(variable, rowsIn);
    session = new Session(graph, config(threads));
    indices = TInt64.tensorOf(indexShape(), DataBuffers.of(operands.tuples(), true, false));
    rows = work.op().gathers() ? null : tensors.updates(operands);
    try (TType tensor = tensors.initial(operands)) {
      session.runner().feed(rowsIn, tensor).addTarget(assign).run().close();
    }
  }

  /** TensorFlow for Java has no int8. */
  static boolean supports(Work work) {
    return work.type() != WorkType.INT8;
  }

  /** For depth 1, uses operators with plain indices; those with tuples are slower. */
  private Shape indexShape() {
    return work.depth() == 1 ? Shape.of(work.count()) : Shape.of(work.tupleDims());
  }

  private Op step(Ops tf, Operand<?> variable) {
    return switch (work.op()) {
      case GATHER, GATHER_NEW ->
          work.depth() == 1
              ? tf.resourceGather(variable, indicesIn, tensors.type())
              : tf.resourceGatherNd(variable, indicesIn, tensors.type());
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
    closeFetched();
    if (work.op().gathers()) {
      fetched = runner.fetch((Operand<?>) step).run();
    } else {
      runner.feed(rowsIn, rows).addTarget(step).run().close();
    }
  }

  @Override
  public ResultElements answer() {
    if (!work.op().gathers()) {
      closeFetched();
      fetched = session.runner().fetch(read).run();
    }
    return tensors.answer((TType) fetched.get(0));
  }

  private void closeFetched() {
    if (fetched != null) {
      fetched.close();
      fetched = null;
    }
  }

  @Override
  public void close() {
    closeFetched();
    session.close();
    graph.close();
    indices.close();
    if (rows != null) {
      rows.close();
    }
  }
}
