/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.catalog;

import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * The file with the rows that one task of a stream wrote.
 *
 * @param location empty if the task had no rows
 * @param bytes size of the rows in memory
 */
record StagedRowsFile(String location, long bytes) implements WriterCommitMessage {}
