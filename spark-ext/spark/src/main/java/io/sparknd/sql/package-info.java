/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Tensors in Spark SQL. A tensor is any table or query of index columns and a value column. {@code
 * gather_nd}, {@code scatter_nd} and {@code tensor_scatter_nd_*} are table functions of such
 * tables. {@link io.sparknd.sql.GatherNd}, {@link io.sparknd.sql.ScatterNd} and {@link
 * io.sparknd.sql.TensorScatterNd} are their Dataset equivalents.
 */
@NullMarked
package io.sparknd.sql;

import org.jspecify.annotations.NullMarked;
