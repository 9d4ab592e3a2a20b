/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The table functions as Spark plans them: arguments, logical node, strategy, physical operator.
 *
 * <p>Spark has no public API for a table function with table arguments, nor for an operator that
 * shuffles its children, so this package calls Spark's internals: expressions, plans and metrics.
 * Nothing outside it may depend on them. What an operator does is {@link
 * io.sparknd.cluster.TableQuery}.
 */
package io.sparknd.sql.plan;
