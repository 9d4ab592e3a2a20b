/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The scalar functions for the RAPIDS Accelerator for Apache Spark: queries that call them stay on
 * the GPU. {@link io.sparknd.udf.gpu.GpuExtensions} replaces each call by a {@code ScalaUDF} whose
 * function is a {@code RapidsUDF}, because the Accelerator supports no other expression and no
 * subclass.
 */
package io.sparknd.udf.gpu;
