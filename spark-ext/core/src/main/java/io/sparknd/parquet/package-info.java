/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Decodes the pages of Parquet files. Lists of one length are copied in bulk, once their levels
 * have been checked run by run; {@link io.sparknd.parquet.SliceFileReader} reads a file's rows in
 * this way. The readers and writers of table files use the same classes.
 *
 * <p>Internal; not for users.
 */
@NullMarked
package io.sparknd.parquet;

import org.jspecify.annotations.NullMarked;
