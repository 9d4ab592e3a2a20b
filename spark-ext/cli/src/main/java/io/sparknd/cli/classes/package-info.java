/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What the class files of a class path refer to: real input that every machine has. {@link
 * io.sparknd.cli.classes.ClassFiles} reads it.
 */
package io.sparknd.cli.classes;
