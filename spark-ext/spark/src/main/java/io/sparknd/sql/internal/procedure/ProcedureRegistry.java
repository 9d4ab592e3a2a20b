/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.procedure;

import io.sparknd.sql.internal.SqlErrors;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.procedures.UnboundProcedure;

/** The procedures of all {@link ProcedureProvider}s. */
public final class ProcedureRegistry {
  /** The namespace of all procedures, as in {@code nd.system.info}. */
  public static final String NAMESPACE = "system";

  private static final List<UnboundProcedure> ALL =
      ServiceLoader.load(ProcedureProvider.class, ProcedureRegistry.class.getClassLoader()).stream()
          .flatMap(provider -> provider.get().procedures().stream())
          .toList();

  private ProcedureRegistry() {}

  /**
   * Returns the procedure with the given identifier.
   *
   * @param catalog its name, for the error message
   * @throws io.sparknd.tensor.SparkNdException if there is no procedure of this name
   */
  public static UnboundProcedure load(String catalog, Identifier identifier) {
    return ALL.stream()
        .filter(procedure -> isNamespace(identifier.namespace()))
        .filter(procedure -> procedure.name().equalsIgnoreCase(identifier.name()))
        .findFirst()
        .orElseThrow(
            () ->
                SqlErrors.noSuchProcedure(
                    catalog,
                    identifier.toString(),
                    ALL.stream().map(each -> NAMESPACE + "." + each.name()).toList()));
  }

  public static Identifier[] list(String[] namespace) {
    return namespace.length > 0 && !isNamespace(namespace)
        ? new Identifier[0]
        : ALL.stream()
            .map(procedure -> Identifier.of(new String[] {NAMESPACE}, procedure.name()))
            .toArray(Identifier[]::new);
  }

  private static boolean isNamespace(String[] namespace) {
    return Arrays.equals(namespace, new String[] {NAMESPACE});
  }
}
