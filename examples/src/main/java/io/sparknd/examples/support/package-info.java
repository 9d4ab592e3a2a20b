/* SPDX-License-Identifier: Apache-2.0 */
/** Shared code of the training examples: random draws, metrics and console output. */
package io.sparknd.examples.support;
