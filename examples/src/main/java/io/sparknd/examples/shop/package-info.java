/* SPDX-License-Identifier: Apache-2.0 */
/** Implementation of {@link io.sparknd.examples.FeatureStore}; see docs/how-to/feature-store.md. */
package io.sparknd.examples.shop;
