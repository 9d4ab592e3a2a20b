/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.procedure;

import io.sparknd.sql.internal.procedure.ProcedureProvider;
import java.util.List;
import org.apache.spark.sql.connector.catalog.procedures.UnboundProcedure;

/** All procedures on saved embedding tables, in listing order. */
public final class EmbeddingProcedures implements ProcedureProvider {
  private static final List<UnboundProcedure> ALL =
      List.of(new EmbeddingLookupProcedure(), new NearestProcedure());

  @Override
  public List<UnboundProcedure> procedures() {
    return ALL;
  }
}
