/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.sparknd.tensor.SparkNdException;

/** Tests the dependencies of this module's packages. */
@AnalyzeClasses(packages = "io.sparknd.udf", importOptions = ImportOption.DoNotIncludeTests.class)
class UdfArchitectureTest {
  @ArchTest
  static final ArchRule sparkInternalsStayInCatalyst =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.sparknd.udf.catalyst")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.spark.sql.catalyst..",
              "org.apache.spark.sql.classic..",
              "org.apache.spark.sql.execution..",
              "org.apache.spark.unsafe..");

  @ArchTest
  static final ArchRule rowOperatorsDoNotDependOnSpark =
      noClasses()
          .that()
          .resideInAPackage("io.sparknd.udf.row")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.spark..", "io.sparknd.cluster..");

  @ArchTest
  static final ArchRule errorsAreCreatedByFactories =
      noClasses()
          .should()
          .callConstructorWhere(
              com.tngtech.archunit.base.DescribedPredicate.describe(
                  "it makes a SparkNdException",
                  call -> call.getTargetOwner().isEquivalentTo(SparkNdException.class)));
}
