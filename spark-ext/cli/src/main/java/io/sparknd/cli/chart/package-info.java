/* SPDX-License-Identifier: Apache-2.0 */
/** Draws charts as SVG. */
@NullMarked
package io.sparknd.cli.chart;

import org.jspecify.annotations.NullMarked;
