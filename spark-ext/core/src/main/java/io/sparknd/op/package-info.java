/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What a scatter or gather means, apart from where it runs: reductions, index policies, the shapes
 * that go together, index tuples as linear offsets, and the operators under the names that
 * TensorFlow, ONNX, PyTorch, JAX and NumPy give them. Nothing here knows of Spark or of kernels.
 */
package io.sparknd.op;
