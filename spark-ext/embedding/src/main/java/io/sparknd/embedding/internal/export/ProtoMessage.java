/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.export;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A protobuf message in which some fields are tensors that are written later: numbers are varints,
 * other fields are length-delimited. A tensor of gigabytes is therefore never in memory.
 */
final class ProtoMessage {
  private static final int VARINT = 0;
  private static final int DELIMITED = 2;

  /** Consecutive bytes of a message. */
  sealed interface Segment {
    long length();
  }

  record Bytes(byte[] bytes) implements Segment {
    @Override
    public long length() {
      return bytes.length;
    }
  }

  record Hole(ExportTensor tensor) implements Segment {
    @Override
    public long length() {
      return tensor.bytes();
    }
  }

  private final List<Segment> segments = new ArrayList<>();

  ProtoMessage number(int field, long value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    varint(out, (long) field << 3 | VARINT);
    varint(out, value);
    segments.add(new Bytes(out.toByteArray()));
    return this;
  }

  ProtoMessage string(int field, String value) {
    return delimited(field, List.of(new Bytes(value.getBytes(StandardCharsets.UTF_8))));
  }

  ProtoMessage message(int field, ProtoMessage value) {
    return delimited(field, value.segments);
  }

  /** Adds a bytes field with the little-endian elements of a tensor. */
  ProtoMessage tensor(int field, ExportTensor tensor) {
    return delimited(field, List.of(new Hole(tensor)));
  }

  private ProtoMessage delimited(int field, List<? extends Segment> value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    varint(out, (long) field << 3 | DELIMITED);
    varint(out, value.stream().mapToLong(Segment::length).sum());
    segments.add(new Bytes(out.toByteArray()));
    segments.addAll(value);
    return this;
  }

  private static void varint(ByteArrayOutputStream out, long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      out.write((int) (rest & 0x7F | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  List<Segment> segments() {
    return List.copyOf(segments);
  }
}
