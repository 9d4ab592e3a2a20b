/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Spark plans of the table functions: arguments, logical node, strategy and physical operator.
 *
 * <p>Spark has no public API for table functions with table arguments, nor for operators that
 * shuffle their children. This package therefore uses Spark's internals: expressions, plans and
 * metrics. No code outside it may depend on them. {@link
 * io.sparknd.cluster.internal.tables.TableQuery} implements the work of the operators.
 */
@NullMarked
package io.sparknd.sql.internal.plan;

import org.jspecify.annotations.NullMarked;
