/* SPDX-License-Identifier: Apache-2.0 */
/** Implementation of {@code click-prediction}: click logs, generated or of files, and models. */
package io.sparknd.examples.clicks;
