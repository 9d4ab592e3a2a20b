/* SPDX-License-Identifier: Apache-2.0 */
/** The command line {@code sparknd}: {@link io.sparknd.cli.Main} and its commands. */
@NullMarked
package io.sparknd.cli;

import org.jspecify.annotations.NullMarked;
