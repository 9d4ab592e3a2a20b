/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.file;

/** Whether a reader compares the bytes of a page with the checksum that was written with it. */
public enum PageChecks {
  VERIFIED,
  UNVERIFIED
}
