/* SPDX-License-Identifier: Apache-2.0 */
/** The parts of {@code click-prediction}: a log of clicks with planted factors, and who clicks. */
package io.sparknd.examples.clicks;
