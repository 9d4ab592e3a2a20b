/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoSerializable;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.sparknd.tensor.Storage;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * An array of a dtype's storage that travels bit for bit. Why not the array itself: both Java and
 * Kryo serialization write every NaN as the same one.
 */
final class RawUnits implements Serializable, KryoSerializable {
  private static final long serialVersionUID = 1;

  private transient Object array;

  RawUnits(Object array) {
    this.array = array;
  }

  Object array() {
    return array;
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    write(out);
  }

  private void readObject(ObjectInputStream in) throws IOException {
    read(in);
  }

  @Override
  public void write(Kryo kryo, Output out) {
    try {
      write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void read(Kryo kryo, Input in) {
    try {
      read(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(OutputStream out) throws IOException {
    Storage storage = storage();
    RawArrays raw = new RawArrays();
    int units = storage.length(array);
    raw.writeInt(out, storage.ordinal());
    raw.writeInt(out, units);
    raw.write(out, storage, array, 0, units);
  }

  private void read(InputStream in) throws IOException {
    RawArrays raw = new RawArrays();
    Storage storage = Storage.values()[raw.readInt(in)];
    int units = raw.readInt(in);
    array = storage.allocate(units);
    raw.read(in, storage, array, 0, units);
  }

  private Storage storage() {
    return Arrays.stream(Storage.values())
        .filter(storage -> storage.holds(array))
        .findFirst()
        .orElseThrow();
  }
}
