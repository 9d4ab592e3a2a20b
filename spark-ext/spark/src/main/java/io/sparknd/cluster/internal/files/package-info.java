/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Whole tensors in {@code .npy} files or in saved directories, and on the driver. Tensors are read
 * from a path into blocks, by the executors in parallel, and written from blocks.
 *
 * <p>Internal; not part of the public API.
 */
@NullMarked
package io.sparknd.cluster.internal.files;

import org.jspecify.annotations.NullMarked;
