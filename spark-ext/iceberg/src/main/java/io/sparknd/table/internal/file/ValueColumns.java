/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import java.io.Serializable;
import java.util.List;

/** The column or columns of a tensor table that hold a row's slice. */
public sealed interface ValueColumns extends Serializable {

  /** Returns the names of the columns, in order. */
  List<String> names();

  /** One column of arrays nested as deep as the slice, or of scalars; any engine can read it. */
  record ArrayColumn(String name) implements ValueColumns {
    @Override
    public List<String> names() {
      return List.of(name);
    }
  }

  /** One binary column with the slice's elements, row-major and little-endian. */
  record BinaryColumn(String name) implements ValueColumns {
    @Override
    public List<String> names() {
      return List.of(name);
    }
  }

  /** A scalar column for each element of a slice of shape {@code [names.size()]}. */
  record FeatureColumns(List<String> names) implements ValueColumns {
    public FeatureColumns {
      names = List.copyOf(names);
    }
  }
}
