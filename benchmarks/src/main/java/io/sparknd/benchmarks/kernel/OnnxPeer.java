/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * ONNX Runtime. A scatter writes to its pinned input, which ScatterND runs in place. A gather
 * writes to a pinned result, or to a new one without pinning.
 */
final class OnnxPeer implements Peer {
  private final Work work;
  private final String operator;
  private final ByteBuffer tensor;
  private final ByteBuffer result;
  private final OrtSession session;
  private final Map<String, OnnxTensor> inputs = new HashMap<>();
  private final Map<String, OnnxTensor> pinned = new HashMap<>();
  private OrtSession.Result made;

  OnnxPeer(Operands operands, int threads) throws OrtException {
    work = operands.work();
    operator = work.op().gathers() ? "GatherND" : "ScatterND";
    tensor = operands.directTensor();
    result = Direct.floats(work.op() == Work.Op.GATHER ? operands.rowElements() : 0);
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(threads);
      options.setInterOpNumThreads(1);
      session = environment.createSession(model(), options);
    }
    OnnxTensor x = OnnxTensor.createTensor(environment, tensor.asFloatBuffer(), work.dims());
    inputs.put("x", x);
    inputs.put(
        "indices",
        OnnxTensor.createTensor(
            environment, Direct.of(operands.tuples()).asLongBuffer(), work.tupleDims()));
    switch (work.op()) {
      case GATHER ->
          pinned.put(
              "y", OnnxTensor.createTensor(environment, result.asFloatBuffer(), work.rowDims()));
      case GATHER_NEW -> {}
      case UPDATE, ADD, MAX -> {
        FloatBuffer updates = Direct.of(operands.updates()).asFloatBuffer();
        inputs.put("updates", OnnxTensor.createTensor(environment, updates, work.rowDims()));
        pinned.put("y", x);
      }
    }
  }

  private byte[] model() {
    if (work.op().gathers()) {
      return new OnnxModel(operator, Map.of()).bytes(work.dims(), work.tupleDims(), work.rowDims());
    }
    return new OnnxModel(operator, Map.of("reduction", reduction()))
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
  public FloatBuffer answer() {
    return switch (work.op()) {
      case GATHER -> result.asFloatBuffer();
      case GATHER_NEW -> ((OnnxTensor) made.get(0)).getFloatBuffer();
      case UPDATE, ADD, MAX -> tensor.asFloatBuffer();
    };
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
