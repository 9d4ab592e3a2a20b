/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import io.sparknd.docs.Block;
import io.sparknd.docs.Page;
import io.sparknd.docs.SqlExample;
import java.util.List;

/** The SQL of the reference pages. */
final class SqlPages {
  private SqlPages() {}

  /** Returns the blocks of all pages about SQL, in order. */
  static List<Block> blocks() {
    return Page.all().stream()
        .filter(page -> page.toString().matches("docs/reference/(sql/.*|procedures\\.md)"))
        .flatMap(page -> page.blocks("sql").stream())
        .filter(block -> block.fileName().isEmpty())
        .toList();
  }

  /** Returns the statements of a block; a script is one. */
  static List<String> statements(Block block) {
    return SqlExample.statements(block.text());
  }
}
