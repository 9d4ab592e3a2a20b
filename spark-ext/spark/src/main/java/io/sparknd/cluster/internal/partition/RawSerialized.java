/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.partition;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoSerializable;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * An object that serializes itself as raw bytes with any serializer that Spark is configured to
 * use. Both Java and Kryo serialization write every NaN as the same one, and Java serialization
 * writes element by element.
 */
public abstract class RawSerialized implements Externalizable, KryoSerializable {
  private static final long serialVersionUID = 1;

  protected abstract void writeRaw(OutputStream out) throws IOException;

  /** Replaces every field with what {@link #writeRaw} wrote. */
  protected abstract void readRaw(InputStream in) throws IOException;

  @Override
  public final void writeExternal(ObjectOutput out) throws IOException {
    writeRaw((OutputStream) out);
  }

  @Override
  public final void readExternal(ObjectInput in) throws IOException {
    readRaw((InputStream) in);
  }

  @Override
  public final void write(Kryo kryo, Output out) {
    try {
      writeRaw(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public final void read(Kryo kryo, Input in) {
    try {
      readRaw(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
