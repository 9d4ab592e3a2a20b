/* SPDX-License-Identifier: Apache-2.0 */
/** Code shared by the commands: the Spark session, the progress bar and the log level. */
@NullMarked
package io.sparknd.cli.support;

import org.jspecify.annotations.NullMarked;
