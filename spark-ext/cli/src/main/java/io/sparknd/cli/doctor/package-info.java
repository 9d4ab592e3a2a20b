/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The command {@code sparknd doctor}: checks this machine's JVM, tools and libraries. It does not
 * start Spark, so it works where Spark fails to start. {@link io.sparknd.cli.doctor.DoctorCommand}
 * is the entry point; each check is a method of {@code JvmChecks} or {@code ToolChecks}.
 */
@NullMarked
package io.sparknd.cli.doctor;

import org.jspecify.annotations.NullMarked;
