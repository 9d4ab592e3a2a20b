/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;

/**
 * Context for error messages: the file's name, and the dtype and shape of the slices it should
 * hold.
 */
record FileContext(String file, DType dtype, Shape slice) {}
