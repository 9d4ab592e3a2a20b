/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The local kernels beside TensorFlow, ONNX Runtime, PyTorch and a plain Java loop, in turn in one
 * JVM. JMH starts a fresh JVM for each piece of work and thread count and warms it up.
 */
package io.sparknd.benchmarks.kernel;
