/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The command {@code sparknd doctor}: says what this machine has of what SparkND uses. It starts no
 * Spark, so that it can tell why Spark does not start. {@link io.sparknd.cli.doctor.DoctorCommand}
 * is the entry point; each check is a method of {@code JvmChecks} or {@code ToolChecks}.
 */
@NullMarked
package io.sparknd.cli.doctor;

import org.jspecify.annotations.NullMarked;
