/* SPDX-License-Identifier: Apache-2.0 */
/** Shared code of the training examples: files, random draws, metrics and console output. */
package io.sparknd.examples.support;
