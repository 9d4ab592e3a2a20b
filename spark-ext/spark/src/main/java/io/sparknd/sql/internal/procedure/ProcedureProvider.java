/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.procedure;

import java.util.List;
import org.apache.spark.sql.connector.catalog.procedures.UnboundProcedure;

/**
 * Provides procedures to {@link io.sparknd.sql.NdCatalog}. Implementations are listed in {@code
 * META-INF/services} and have a public no-argument constructor.
 */
public interface ProcedureProvider {

  /**
   * Returns the procedures in the order of {@code SHOW PROCEDURES}; names are unique across all
   * providers.
   */
  List<UnboundProcedure> procedures();
}
