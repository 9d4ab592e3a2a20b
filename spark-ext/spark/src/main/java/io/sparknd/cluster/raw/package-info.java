/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Arrays as bytes, bit for bit, for whatever leaves a JVM: shuffles, broadcasts, caches, files.
 * Arrays of any dtype's storage come in, little-endian streams go out, and back. Knows no tensor.
 *
 * <p>Not for users.
 */
package io.sparknd.cluster.raw;
