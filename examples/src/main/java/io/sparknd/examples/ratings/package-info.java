/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Implementation of {@code matrix-factorization}: ratings of files or of known factors, and models.
 */
package io.sparknd.examples.ratings;
