/* SPDX-License-Identifier: Apache-2.0 */
/** The parts of {@code matrix-factorization}: ratings with planted factors, and their recovery. */
package io.sparknd.examples.ratings;
