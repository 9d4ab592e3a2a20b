/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Reads the references between classes from the class files of a class path, real input that every
 * machine has. {@link io.sparknd.cli.classes.ClassFiles} is the entry point.
 */
@NullMarked
package io.sparknd.cli.classes;

import org.jspecify.annotations.NullMarked;
