/* SPDX-License-Identifier: Apache-2.0 */
/** Implementation of {@link io.sparknd.examples.FeatureStore}; see docs/feature-store.md. */
package io.sparknd.examples.shop;
