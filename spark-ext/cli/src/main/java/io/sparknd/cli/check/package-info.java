/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Runs case folders, which hold calls of operators with their results in files, on several engines.
 * If an engine returns another result or raises another error, the case fails. If a case is not
 * fully understood, it is skipped with the reason and never passes.
 */
@NullMarked
package io.sparknd.cli.check;

import org.jspecify.annotations.NullMarked;
