/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Case folders: calls of operators with their results in files, run on several engines. An engine
 * that gives another answer, or that raises another error, fails the case; a case that is not
 * understood in full is skipped with the reason, never passed.
 */
package io.sparknd.cli.check;
