/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The command {@code sparknd sql}: runs statements from the command line, a file or a terminal in
 * Spark with the SparkND functions.
 */
@NullMarked
package io.sparknd.cli.sql;

import org.jspecify.annotations.NullMarked;
