/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

/** A device that evicts resident blocks when an allocation fails. */
record EvictingDevice(Device device, ResidentBlocks residents) implements Device {
  @Override
  public Memory memory(long bytes) {
    while (true) {
      try {
        return device.memory(bytes);
      } catch (OutOfDeviceMemory e) {
        if (!residents.evict(bytes)) {
          throw e;
        }
      }
    }
  }

  @Override
  public Staging staging(int bytes) {
    return device.staging(bytes);
  }

  @Override
  public void toDevice(Staging from, Memory to, long at, int bytes) {
    device.toDevice(from, to, at, bytes);
  }

  @Override
  public void toHost(Memory from, long at, Staging to, int bytes) {
    device.toHost(from, at, to, bytes);
  }

  @Override
  public long stream() {
    return device.stream();
  }

  @Override
  public void await() {
    device.await();
  }
}
