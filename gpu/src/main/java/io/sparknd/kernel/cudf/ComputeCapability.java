/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

/** NVIDIA's version number of what a GPU can execute. */
record ComputeCapability(int major, int minor) implements Comparable<ComputeCapability> {
  /** The least that the kernels are compiled for: {@code cuda.targets} of the build. */
  static final ComputeCapability LEAST = new ComputeCapability(8, 0);

  @Override
  public int compareTo(ComputeCapability other) {
    return major == other.major
        ? Integer.compare(minor, other.minor)
        : Integer.compare(major, other.major);
  }

  @Override
  public String toString() {
    return major + "." + minor;
  }
}
