/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.procedure;

import java.util.List;
import org.apache.spark.sql.connector.catalog.procedures.UnboundProcedure;

/**
 * Procedures of {@link io.sparknd.sql.NdCatalog}. A service: implementations are listed in {@code
 * META-INF/services} and have a public constructor without parameters.
 */
public interface ProcedureProvider {

  /**
   * In the order in which {@code SHOW PROCEDURES} lists them; names are unique in all providers.
   */
  List<UnboundProcedure> procedures();
}
