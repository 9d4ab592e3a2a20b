/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Binds the SQL functions to Spark's Catalyst. This is the only package of the module that calls
 * classes outside Spark's public API, for these reasons:
 *
 * <ul>
 *   <li>{@code Expression}, {@code TypedImperativeAggregate}: Spark's public functions have one
 *       fixed type each. Only an expression takes its type from its arguments, rejects them with
 *       the position in the statement, folds constants and is part of generated code.
 *   <li>{@code ArrayData}, {@code UnsafeArrayData}: arrays are copied as memory; {@code Row} and
 *       {@code Seq} box every element.
 *   <li>{@code FunctionSignature}, {@code ExpressionInfo}: named arguments, and {@code DESCRIBE
 *       FUNCTION}.
 * </ul>
 *
 * <p>Its public classes are public because generated code, other modules or the parent package use
 * them.
 */
package io.sparknd.udf.catalyst;
