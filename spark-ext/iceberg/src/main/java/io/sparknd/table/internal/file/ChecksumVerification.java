/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

/** Whether a reader verifies the checksums of pages. */
public enum ChecksumVerification {
  VERIFIED,
  UNVERIFIED
}
