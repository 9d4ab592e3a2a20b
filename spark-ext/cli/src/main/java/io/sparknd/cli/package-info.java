/* SPDX-License-Identifier: Apache-2.0 */
/** The command line {@code sparknd}: {@link io.sparknd.cli.Main} and its commands. */
package io.sparknd.cli;
