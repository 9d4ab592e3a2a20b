/* SPDX-License-Identifier: Apache-2.0 */
/** One main a story. */
package io.sparknd.examples;
