/** The command line {@code sparknd}: {@link io.sparknd.cli.Main} and its commands. */
package io.sparknd.cli;
