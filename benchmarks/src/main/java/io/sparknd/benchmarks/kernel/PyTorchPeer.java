/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import ai.djl.engine.Engine;
import ai.djl.ndarray.types.DataType;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.engine.PtSymbolBlock;
import ai.djl.pytorch.jni.IValue;
import ai.djl.pytorch.jni.IValueUtils;
import ai.djl.pytorch.jni.JniUtils;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** PyTorch on tensors in direct buffers: in place, with {@code out=}, or into a new result. */
final class PyTorchPeer implements Peer {
  private final Work work;
  private final PtNDManager manager;
  private final PtSymbolBlock module;
  private final PyTorchTensors tensors;
  private final ByteBuffer tensor;
  private final ByteBuffer result;
  private final List<IValue> arguments = new ArrayList<>();
  private IValue made;

  PyTorchPeer(Operands operands, int threads) throws IOException {
    work = operands.work();
    manager = (PtNDManager) Engine.getEngine("PyTorch").newBaseManager();
    JniUtils.setNumThreads(threads);
    module = JniUtils.loadModule(manager, TorchScript.archive(), false, false);
    tensors = new PyTorchTensors(work.type(), manager, module);
    tensor = operands.directTensor();
    result =
        Direct.zeros(
            work.op() == Work.Op.GATHER ? work.rowElements() : 0, work.type().storage().bytes());
    arguments.add(tensors.of(tensor, work.dims()));
    for (int d = 0; d < work.depth(); d++) {
      arguments.add(tensors.of(Direct.of(operands.column(d)), DataType.INT64, work.count()));
    }
    switch (work.op()) {
      case GATHER -> arguments.add(tensors.of(result, work.rowDims()));
      case GATHER_NEW -> {}
      case UPDATE, ADD, MAX -> arguments.add(tensors.of(operands.directUpdates(), work.rowDims()));
    }
  }

  /** PyTorch has no tensors of strings. */
  static boolean supports(Work work) {
    return work.type() != WorkType.STRING;
  }

  private String method() {
    return switch (work.op()) {
      case GATHER -> "gather" + work.depth();
      case GATHER_NEW -> "gather_new" + work.depth();
      case UPDATE -> "update" + work.depth();
      case ADD -> "add" + work.depth();
      case MAX -> "max" + work.depth();
    };
  }

  @Override
  public String name() {
    return "PyTorch "
        + switch (work.op()) {
          case GATHER -> work.depth() == 1 ? "index_select out=" : "index out=";
          case GATHER_NEW -> "index_select";
          case UPDATE -> "index_put_";
          case ADD -> work.depth() == 1 ? "index_add_" : "index_put_ accumulate";
          case MAX -> "scatter_reduce_ amax";
        };
  }

  @Override
  public void run() {
    closeMade();
    made = IValueUtils.runMethod(module, method(), arguments.toArray(IValue[]::new));
  }

  @Override
  public ResultElements answer() {
    return switch (work.op()) {
      case GATHER -> tensors.answer(result, arguments.get(arguments.size() - 1));
      case GATHER_NEW -> tensors.answer(made);
      case UPDATE, ADD, MAX -> tensors.answer(tensor, arguments.get(0));
    };
  }

  private void closeMade() {
    if (made != null) {
      made.close();
    }
  }

  @Override
  public void close() {
    closeMade();
    arguments.forEach(IValue::close);
    module.close();
    manager.close();
  }
}
