/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Implementation of {@code matrix-factorization}: ratings with known factors and their recovery.
 */
package io.sparknd.examples.ratings;
