/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Tensors in one process: element types, shapes, dense row-major arrays and NumPy's file format.
 * This package does not depend on Spark.
 */
@NullMarked
package io.sparknd.tensor;

import org.jspecify.annotations.NullMarked;
