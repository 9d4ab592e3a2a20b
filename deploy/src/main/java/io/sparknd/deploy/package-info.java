/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The jobs that {@code bin/cluster drill} submits and disturbs. Not part of the deployed engine.
 */
package io.sparknd.deploy;
