/* SPDX-License-Identifier: Apache-2.0 */
/** What the examples of training share: draws, measures, charts and lines on the console. */
package io.sparknd.examples.support;
