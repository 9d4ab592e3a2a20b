/* SPDX-License-Identifier: Apache-2.0 */
/** How a training is shown: a progress bar while it runs, and a chart of its losses. */
package io.sparknd.cli.training;
