/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** Groups elements into lists of {@code size}; the last list may be shorter. */
record FixedSizeGroups<T>(Iterator<T> elements, int size) implements Iterator<List<T>> {
  @Override
  public boolean hasNext() {
    return elements.hasNext();
  }

  @Override
  public List<T> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    List<T> group = new ArrayList<>(size);
    while (group.size() < size && elements.hasNext()) {
      group.add(elements.next());
    }
    return group;
  }
}
