/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Tensors as Arrow IPC streams, with Arrow's canonical extension type {@code
 * arrow.fixed_shape_tensor} (<a
 * href="https://arrow.apache.org/docs/format/CanonicalExtensions.html#fixed-shape-tensor">its
 * rules</a>). A tensor of shape {@code [rows, d1, d2, ...]} is one column, {@code tensor}, of
 * {@code rows} cells of shape {@code [d1, d2, ...]}. The package does not depend on Spark.
 *
 * <p>Cases that the extension type does not define:
 *
 * <ul>
 *   <li>rank 1 is a column of cells of shape {@code []} (list size 1), and rank 0 is one such cell;
 *   <li>a complex element is two floats: the cell has a further, last dimension of 2;
 *   <li>bfloat16 is stored as its bits, in uint16;
 *   <li>a tensor without elements has no rows.
 * </ul>
 *
 * <p>The field's metadata therefore contains {@code sparknd.dtype} (ONNX's name) and {@code
 * sparknd.shape} (the whole shape, a JSON array), from which the tensor is restored exactly. Other
 * readers ignore them and see the column as Arrow describes it.
 */
@NullMarked
package io.sparknd.arrow;

import org.jspecify.annotations.NullMarked;
