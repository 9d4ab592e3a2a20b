/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

/**
 * A version and its validation.
 *
 * @param <V> a table or a model
 */
record ValidatedVersion<V>(V version, ValidatedStep validation) {}
