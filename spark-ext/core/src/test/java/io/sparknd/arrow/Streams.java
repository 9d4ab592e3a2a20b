/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.arrow;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;

/** Creates random tensors and converts them to streams in memory. */
final class Streams {
  private Streams() {}

  static byte[] bytes(Tensor tensor, BufferAllocator root) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      ArrowTensors.write(tensor, Channels.newChannel(out), out, child(root));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return out.toByteArray();
  }

  static Tensor tensor(byte[] stream, BufferAllocator root) {
    return ArrowTensors.read(new ByteArrayInputStream(stream), "test.arrows", child(root));
  }

  static BufferAllocator child(BufferAllocator root) {
    return root.newChildAllocator("test", 0, Long.MAX_VALUE);
  }

  /** Returns a tensor of random bits, including NaNs with payloads. Bools are 0 or 1. */
  static Tensor random(DType dtype, Shape shape) {
    Random random = new Random(shape.hashCode());
    int units = (int) shape.elements() * dtype.units();
    Object array = dtype.storage().allocate(units);
    for (int i = 0; i < units; i++) {
      Array.set(array, i, unit(dtype, random));
    }
    return Tensor.wrap(dtype, shape, array);
  }

  private static Object unit(DType dtype, Random random) {
    long bits = random.nextLong();
    return switch (dtype.storage()) {
      case BYTE -> (byte) (dtype == DType.BOOL ? bits & 1 : bits);
      case SHORT -> (short) bits;
      case INT -> (int) bits;
      case LONG -> bits;
      case FLOAT ->
          Float.intBitsToFloat((int) (random.nextInt(4) == 0 ? bits | 0x7f80_0000 : bits));
      case DOUBLE -> Double.longBitsToDouble(bits);
      case STRING -> "añ€😀z1".substring(0, new int[] {0, 1, 2, 3, 5, 6, 7}[random.nextInt(7)]);
    };
  }

  /** Returns the array's bits, which distinguish NaN payloads; strings unchanged. */
  static Object bits(Tensor tensor) {
    if (tensor.array() instanceof float[] floats) {
      ByteBuffer bytes = ByteBuffer.allocate(4 * floats.length);
      bytes.asFloatBuffer().put(floats);
      return bytes.array();
    }
    if (tensor.array() instanceof double[] doubles) {
      ByteBuffer bytes = ByteBuffer.allocate(8 * doubles.length);
      bytes.asDoubleBuffer().put(doubles);
      return bytes.array();
    }
    return tensor.array();
  }
}
