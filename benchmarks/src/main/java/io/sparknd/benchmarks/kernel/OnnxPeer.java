/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * ONNX Runtime. A scatter writes to its pinned input, which ScatterND runs in place. A gather
 * writes to a pinned result, or to a new one without pinning.
 */
final class OnnxPeer implements Peer {
  private final Work work;
  private final String operator;
  private final OnnxTensors tensors;
  private final OrtSession session;
  private final Map<String, OnnxTensor> inputs = new HashMap<>();
  private final Map<String, OnnxTensor> pinned = new HashMap<>();
  private OrtSession.Result made;

  OnnxPeer(Operands operands, int threads) throws OrtException {
    work = operands.work();
    operator = work.op().gathers() ? "GatherND" : "ScatterND";
    tensors = new OnnxTensors(work.type());
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(threads);
      options.setInterOpNumThreads(1);
      session = OrtEnvironment.getEnvironment().createSession(model(), options);
    }
    OnnxTensor x = tensors.initial(operands);
    inputs.put("x", x);
    inputs.put("indices", tensors.tuples(operands));
    switch (work.op()) {
      case GATHER -> pinned.put("y", tensors.result(work));
      case GATHER_NEW -> {}
      case UPDATE, ADD, MAX -> {
        inputs.put("updates", tensors.updates(operands));
        pinned.put("y", x);
      }
    }
  }

  /** ScatterND does not add half precision floats. */
  static boolean supports(Work work) {
    return work.op() != Work.Op.ADD
        || switch (work.type()) {
          case FLOAT32, INT8 -> true;
          case FLOAT16, BFLOAT16, STRING -> false;
        };
  }

  private byte[] model() {
    if (work.op().gathers()) {
      return new OnnxModel(operator, tensors.protoType(), Map.of())
          .bytes(work.dims(), work.tupleDims(), work.rowDims());
    }
    return new OnnxModel(operator, tensors.protoType(), Map.of("reduction", reduction()))
        .bytesWithUpdates(work.dims(), work.tupleDims(), work.rowDims());
  }

  private String reduction() {
    return switch (work.op()) {
      case ADD -> "add";
      case MAX -> "max";
      case UPDATE, GATHER, GATHER_NEW -> "none";
    };
  }

  @Override
  public String name() {
    return "ONNX Runtime " + operator;
  }

  @Override
  public void run() throws OrtException {
    closeMade();
    made = pinned.isEmpty() ? session.run(inputs) : session.run(inputs, pinned);
  }

  @Override
  public ResultElements answer() throws OrtException {
    return pinned.isEmpty()
        ? tensors.newAnswer((OnnxTensor) made.get(0))
        : tensors.answer(Objects.requireNonNull(pinned.get("y")));
  }

  /** Closes the last result; pinned outputs stay open. */
  private void closeMade() {
    if (made != null) {
      made.close();
    }
  }

  @Override
  public void close() throws OrtException {
    closeMade();
    inputs.values().forEach(OnnxTensor::close);
    if (work.op() == Work.Op.GATHER) {
      pinned.values().forEach(OnnxTensor::close);
    }
    session.close();
  }
}
