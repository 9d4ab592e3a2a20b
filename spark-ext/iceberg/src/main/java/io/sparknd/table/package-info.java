/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Tensors stored in Iceberg tables. {@link io.sparknd.table.TensorTable} is the entry point; {@link
 * io.sparknd.table.options} holds the arguments of its methods, {@link io.sparknd.table.result}
 * what they return.
 */
@NullMarked
package io.sparknd.table;

import org.jspecify.annotations.NullMarked;
