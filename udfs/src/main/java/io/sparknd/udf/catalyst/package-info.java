/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The only package of this module that calls classes outside Spark's public API, and why it must:
 *
 * <ul>
 *   <li>{@code Expression}, {@code TypedImperativeAggregate}: Spark's public functions have one
 *       fixed type each; only an expression takes its type from its arguments, refuses them with
 *       the place in the statement, folds constants and is part of generated code.
 *   <li>{@code ArrayData}, {@code UnsafeArrayData}: arrays are copied as memory; {@code Row} and
 *       {@code Seq} box every element.
 *   <li>{@code FunctionSignature}, {@code ExpressionInfo}: named arguments, and {@code DESCRIBE
 *       FUNCTION}.
 * </ul>
 *
 * What of it is public is so because generated code calls it, or for the package above.
 */
package io.sparknd.udf.catalyst;
