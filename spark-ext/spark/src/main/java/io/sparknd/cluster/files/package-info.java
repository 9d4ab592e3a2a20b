/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Whole tensors in files, {@code .npy} or a directory of their own, and on the driver. In: a path;
 * out: the blocks of a tensor, which executors read in pieces, and the other way about.
 *
 * <p>Not for users.
 */
package io.sparknd.cluster.files;
