/* SPDX-License-Identifier: Apache-2.0 */

/**
 * What {@code bin/cluster drill} sends to a cluster and then disturbs. Never deployed with the
 * engine.
 */
package io.sparknd.deploy;
