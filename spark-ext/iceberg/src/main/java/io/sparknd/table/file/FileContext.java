/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.file;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;

/** What errors say of a file: its name, and the slices that it should hold. */
record FileContext(String file, DType dtype, Shape slice) {}
