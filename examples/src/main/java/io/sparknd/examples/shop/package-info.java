/* SPDX-License-Identifier: Apache-2.0 */
/** The parts of {@link io.sparknd.examples.FeatureStore}: docs/feature-store.md tells of them. */
package io.sparknd.examples.shop;
