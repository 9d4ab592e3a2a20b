/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The semantics of scatter and gather: reductions, index policies, shape rules, index tuples as
 * offsets, and the operators under the names of TensorFlow, ONNX, PyTorch, JAX and NumPy. This
 * package depends neither on Spark nor on kernels.
 */
@NullMarked
package io.sparknd.op;

import org.jspecify.annotations.NullMarked;
