/* SPDX-License-Identifier: Apache-2.0 */
/** Displays a training: a progress bar while it runs, and a chart of its losses. */
@NullMarked
package io.sparknd.cli.training;

import org.jspecify.annotations.NullMarked;
