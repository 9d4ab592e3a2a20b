/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Benchmarks of the local kernels against TensorFlow, ONNX Runtime, PyTorch and a plain Java loop,
 * interleaved in one JVM. JMH starts and warms up a new JVM for each benchmark and thread count.
 */
package io.sparknd.benchmarks.kernel;
