/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.sql.internal.procedure.ProcedureProvider;
import java.util.List;
import org.apache.spark.sql.connector.catalog.procedures.UnboundProcedure;

/** All procedures on tensors and their tables, in listing order. */
public final class TensorProcedures implements ProcedureProvider {
  private static final List<UnboundProcedure> ALL =
      List.of(
          new CreateProcedure(),
          new CreateFeaturesProcedure(),
          new AdoptProcedure(),
          new AdoptTensorProcedure(),
          new ScatterProcedure(),
          new ResizeProcedure(),
          new EvictProcedure(),
          new ChangesProcedure(),
          new PublishProcedure(),
          new CompactProcedure(),
          new ExpireProcedure(),
          new OrphansProcedure(),
          new InfoProcedure(),
          new DescribeProcedure(),
          new CheckProcedure());

  @Override
  public List<UnboundProcedure> procedures() {
    return ALL;
  }
}
