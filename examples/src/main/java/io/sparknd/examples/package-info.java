/* SPDX-License-Identifier: Apache-2.0 */
/** Example programs, one main class each. */
package io.sparknd.examples;
