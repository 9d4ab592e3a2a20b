/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.partition;

import io.sparknd.tensor.Storage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;

/** An array of a dtype's storage that is serialized bit for bit. */
public final class RawUnits extends RawSerialized {
  private static final long serialVersionUID = 1;

  private Object array;

  /** For deserialization only. */
  @SuppressWarnings("NullAway.Init") // readRaw sets the field
  public RawUnits() {}

  public RawUnits(Object array) {
    this.array = array;
  }

  public Object array() {
    return array;
  }

  @Override
  protected void writeRaw(OutputStream out) throws IOException {
    Storage storage = storage();
    RawArrays raw = new RawArrays();
    int units = storage.length(array);
    raw.writeInt(out, storage.ordinal());
    raw.writeInt(out, units);
    raw.write(out, storage, array, 0, units);
  }

  @Override
  protected void readRaw(InputStream in) throws IOException {
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
