/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.tensor.Shape;
import java.util.List;

/** A table described as a tensor. */
public record TableTensorInfo(
    String elementType, Shape shape, List<String> indexColumns, String valueColumn) {}
