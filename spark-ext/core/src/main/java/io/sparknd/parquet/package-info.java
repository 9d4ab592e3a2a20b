/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Pages of Parquet files. Lists of one length are copied out of them as they lie there, in bulk,
 * once their levels have been checked run by run: {@link io.sparknd.parquet.SliceFile} reads the
 * rows of a file in this way. What reads and writes the files of tables is built of the same parts.
 *
 * <p>Not for users.
 */
package io.sparknd.parquet;
