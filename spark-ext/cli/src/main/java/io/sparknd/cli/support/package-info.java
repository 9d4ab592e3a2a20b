/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What the commands share: the Spark session, the progress of long work, and elements as users
 * write them.
 */
package io.sparknd.cli.support;
