/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.docs;

import java.util.List;

/**
 * Pages that are each one story in several languages: SQL, Java and Python blocks run in the order
 * of the page, in a session and a folder of its own.
 */
public final class HowToPages {
  private static final List<String> STORIES =
      List.of(
          "docs/how-to/export.md",
          "docs/how-to/from-arrays.md",
          "docs/how-to/from-feature-stores.md",
          "docs/how-to/from-merge.md",
          "docs/how-to/grow-a-table.md",
          "docs/how-to/online-store.md",
          "docs/how-to/own-parquet.md",
          "docs/how-to/streams.md",
          "docs/how-to/string-keys.md",
          "docs/how-to/training-sets.md");

  /** A page whose statements run once in each catalog. */
  private static final String CATALOGS = "docs/how-to/catalogs.md";

  private HowToPages() {}

  /** Whether the page is such a story. */
  public static boolean isStory(Page page) {
    return STORIES.contains(page.toString());
  }

  /** Whether the SQL of the page runs in a test of its own, not statement by statement. */
  public static boolean hasOwnTest(Page page) {
    return isStory(page) || page.toString().equals(CATALOGS);
  }
}
