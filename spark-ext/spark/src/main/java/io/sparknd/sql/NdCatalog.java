/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import io.sparknd.cluster.internal.spark.SparkVersion;
import io.sparknd.sql.internal.procedure.ProcedureRegistry;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.ProcedureCatalog;
import org.apache.spark.sql.connector.catalog.procedures.UnboundProcedure;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A catalog that contains only procedures. With {@code
 * spark.sql.catalog.nd=io.sparknd.sql.NdCatalog}, {@code CALL nd.system.check('emb')} runs. Tables
 * remain in their own catalogs.
 */
public final class NdCatalog implements ProcedureCatalog {
  @SuppressWarnings("NullAway.Init") // Spark calls initialize first
  private String name;

  @Override
  public void initialize(String catalog, CaseInsensitiveStringMap options) {
    SparkVersion.check();
    this.name = catalog;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String[] defaultNamespace() {
    return new String[] {ProcedureRegistry.NAMESPACE};
  }

  /**
   * @throws io.sparknd.tensor.SparkNdException if there is no procedure of this name
   */
  @Override
  public UnboundProcedure loadProcedure(Identifier identifier) {
    return ProcedureRegistry.load(name, identifier);
  }

  @Override
  public Identifier[] listProcedures(String[] namespace) {
    return ProcedureRegistry.list(namespace);
  }
}
