/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Serializes arrays bit for bit for shuffles, broadcasts, caches and files. Arrays of any dtype's
 * storage are written to little-endian streams and read back. Does not depend on tensors.
 *
 * <p>Not for users.
 */
package io.sparknd.cluster.raw;
