/* SPDX-License-Identifier: Apache-2.0 */
/** Implementation of {@code click-prediction}: a generated click log and its prediction. */
package io.sparknd.examples.clicks;
