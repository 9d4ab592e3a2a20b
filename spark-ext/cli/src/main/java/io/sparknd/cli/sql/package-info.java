/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code sparknd sql}: statements from the command line, a file or a terminal, run by Spark with
 * the functions of this project.
 */
package io.sparknd.cli.sql;
