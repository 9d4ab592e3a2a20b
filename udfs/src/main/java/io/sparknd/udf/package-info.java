/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Scalar SQL functions on array columns: each row is its own tensor. Not there yet: the table
 * functions and these follow the engine.
 */
package io.sparknd.udf;
