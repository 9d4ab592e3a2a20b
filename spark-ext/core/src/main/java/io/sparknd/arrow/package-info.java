/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Tensors as Arrow IPC streams, with Arrow's canonical extension type {@code
 * arrow.fixed_shape_tensor} (<a
 * href="https://arrow.apache.org/docs/format/CanonicalExtensions.html#fixed-shape-tensor">its
 * rules</a>). A tensor of shape {@code [rows, d1, d2, ...]} is one column, {@code tensor}, of
 * {@code rows} cells of shape {@code [d1, d2, ...]}. Nothing here knows of Spark.
 *
 * <p>What Arrow has no words for:
 *
 * <ul>
 *   <li>rank 1 is a column of cells of shape {@code []} (list size 1), and rank 0 is one such cell;
 *   <li>a complex element is two floats: the cell has a further, last dimension of 2;
 *   <li>bfloat16 travels as its bits, in uint16;
 *   <li>a tensor without elements has no rows.
 * </ul>
 *
 * <p>So the field's metadata carries {@code sparknd.dtype} (ONNX's name) and {@code sparknd.shape}
 * (the whole shape, a JSON array), from which a tensor is read back exactly. Readers that do not
 * know them see the column as Arrow describes it.
 */
package io.sparknd.arrow;
