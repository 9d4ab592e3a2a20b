/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.conditions.ArchConditions.have;
import static com.tngtech.archunit.lang.conditions.ArchConditions.not;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.sparknd.cluster.internal.spark.SparkNdRuntimeException;
import io.sparknd.tensor.ErrorConverter;
import io.sparknd.tensor.ErrorFactory;
import io.sparknd.tensor.SparkNdException;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.trees.TreeNode;

/** Tests the dependencies between packages and which classes are public. */
@AnalyzeClasses(
    packages = "io.sparknd",
    importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.NoTestJars.class})
class ArchitectureTest {
  /** Excludes the test jars of modules that Maven has packaged. */
  static final class NoTestJars implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("-tests.jar");
    }
  }

  /** The packages that may use Spark classes outside the public API. */
  private static final String[] BRIDGE = {
    "io.sparknd.cluster.internal.spark",
    "io.sparknd.cluster.internal.columnar",
    "io.sparknd.cluster.internal.scan",
    "io.sparknd.sql.internal.plan",
    "io.sparknd.table.internal.cell",
    "io.sparknd.table.internal.key",
    "io.sparknd.table.internal.keyed",
    "io.sparknd.table.internal.publish",
    "io.sparknd.table.internal.scan",
    "io.sparknd.table.internal.sql"
  };

  private static final String ANALYSIS = "org.apache.spark.sql.catalyst.analysis.";

  private static final Set<String> SURFACE =
      Set.of("io.sparknd.cluster", "io.sparknd.cluster.options");

  /** The public classes of the cluster packages. */
  private static final Set<String> PUBLIC_IN_CLUSTER =
      Set.of(
          "AsOf",
          "Clock",
          "DistributedTensor",
          "Expired",
          "GatherStrategy",
          "Partitioning",
          "SavedTensorInfo",
          "TensorColumns",
          "TensorKryoRegistrator");

  @ArchTest
  static final ArchRule layersDependInOneDirection =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .withOptionalLayers(true)
          .layer("metrics")
          .definedBy("io.sparknd.metrics..")
          .layer("tensor")
          .definedBy("io.sparknd.tensor..")
          .layer("op")
          .definedBy("io.sparknd.op..")
          .layer("kernel")
          .definedBy("io.sparknd.kernel..")
          .layer("arrow")
          .definedBy("io.sparknd.arrow..")
          .layer("parquet")
          .definedBy("io.sparknd.parquet..")
          .layer("cluster")
          .definedBy("io.sparknd.cluster..")
          .layer("table")
          .definedBy("io.sparknd.table..")
          .layer("embedding")
          .definedBy("io.sparknd.embedding..")
          .layer("sql")
          .definedBy("io.sparknd.sql..")
          .layer("cli")
          .definedBy("io.sparknd.cli..")
          .whereLayer("metrics")
          .mayNotAccessAnyLayer()
          .whereLayer("tensor")
          .mayNotAccessAnyLayer()
          .whereLayer("op")
          .mayOnlyAccessLayers("tensor")
          .whereLayer("kernel")
          .mayOnlyAccessLayers("tensor", "op")
          .whereLayer("arrow")
          .mayOnlyAccessLayers("tensor", "op", "kernel")
          .whereLayer("parquet")
          .mayOnlyAccessLayers("tensor")
          .whereLayer("cluster")
          .mayOnlyAccessLayers("metrics", "tensor", "op", "kernel", "arrow", "parquet")
          .whereLayer("sql")
          .mayOnlyAccessLayers("metrics", "tensor", "op", "kernel", "arrow", "cluster")
          .whereLayer("table")
          .mayOnlyAccessLayers(
              "metrics", "tensor", "op", "kernel", "arrow", "parquet", "cluster", "sql")
          .whereLayer("embedding")
          .mayOnlyAccessLayers("metrics", "tensor", "op", "kernel", "arrow", "cluster", "sql")
          .whereLayer("cli")
          .mayNotBeAccessedByAnyLayer();

  /** A package and its subpackages must not depend on each other. */
  @ArchTest
  static final ArchRule noCycles = slices().matching("io.sparknd.(**)").should().beFreeOfCycles();

  /** The API may depend on the internal packages, not vice versa. */
  @ArchTest
  static final ArchRule internalPackagesDoNotDependOnTheApi =
      noClasses()
          .that()
          .resideInAPackage("io.sparknd.cluster.internal..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.sparknd.cluster");

  /**
   * The sql, table and embedding packages may use the internal packages of cluster; no other
   * package may.
   */
  @ArchTest
  static final ArchRule clusterInternalsAreUsedOnlyByTheEngine =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "io.sparknd.cluster..",
              "io.sparknd.sql..",
              "io.sparknd.table..",
              "io.sparknd.embedding..")
          .should()
          .dependOnClassesThat(
              are(
                  resideInAPackage("io.sparknd.cluster.internal.(*)..")
                      .and(DescribedPredicate.not(resideInAnyPackage(BRIDGE)))));

  @ArchTest
  static final ArchRule tableInternalsAreUsedOnlyByTables =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.sparknd.table..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.sparknd.table.internal..");

  @ArchTest
  static final ArchRule embeddingInternalsAreUsedOnlyByEmbeddingsAndCheck =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.sparknd.embedding..", "io.sparknd.cli.check..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.sparknd.embedding.internal..");

  @ArchTest
  static final ArchRule publicInternalClassesAreUsedByOtherPackages =
      classes()
          .that()
          .resideInAPackage("io.sparknd.cluster.internal..")
          .and()
          .resideOutsideOfPackage("io.sparknd.cluster.internal.columnar") // used by module udfs
          .and()
          .areTopLevelClasses()
          .and()
          .arePublic()
          .and()
          .doNotImplement(ErrorConverter.class) // loaded as a service
          .and()
          .areNotAssignableTo(TreeNode.class) // copied by Spark by reflection
          .and()
          .doNotHaveSimpleName("MapSideCombine") // used by a test in package scatter
          .should(be(usedByNeighbours()));

  private static DescribedPredicate<JavaClass> usedByNeighbours() {
    return describe(
        "used by neighbours",
        type ->
            type.getDirectDependenciesToSelf().stream()
                .map(dependency -> dependency.getOriginClass().getPackageName())
                .anyMatch(origin -> !origin.equals(type.getPackageName())));
  }

  @ArchTest
  static final ArchRule localPackagesDoNotDependOnSpark =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.sparknd.tensor..",
              "io.sparknd.op..",
              "io.sparknd.kernel..",
              "io.sparknd.arrow..",
              "io.sparknd.parquet..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.spark..");

  /**
   * {@code InternalRow} may occur elsewhere as the element type of an RDD. Only the bridge packages
   * may use other classes of Catalyst, SQL execution and {@code unsafe}.
   */
  @ArchTest
  static final ArchRule sparkInternalsStayBehindTheBridge =
      noClasses()
          .that()
          .resideOutsideOfPackages(BRIDGE)
          .should()
          .dependOnClassesThat(are(internalToSpark()));

  private static DescribedPredicate<JavaClass> internalToSpark() {
    return resideInAPackage("org.apache.spark.sql.catalyst..")
        .or(resideInAPackage("org.apache.spark.sql.classic.."))
        .or(resideInAPackage("org.apache.spark.sql.execution.."))
        .or(resideInAPackage("org.apache.spark.unsafe.."))
        .or(named("org.apache.spark.util.KnownSizeEstimation"))
        .and(DescribedPredicate.not(named("org.apache.spark.sql.catalyst.InternalRow")))
        // thrown by methods of Spark's public catalog interface
        .and(DescribedPredicate.not(named(ANALYSIS + "NoSuchTableException")))
        .and(DescribedPredicate.not(named(ANALYSIS + "TableAlreadyExistsException")))
        .as("internal to Spark");
  }

  private static DescribedPredicate<JavaClass> named(String name) {
    return describe(name, type -> type.getBaseComponentType().getFullName().equals(name));
  }

  @ArchTest
  static final ArchRule vectorModuleIsUsedInOnePackage =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.sparknd.kernel.cpu")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("jdk.incubator.vector..");

  /** Java deserialization is not used, so that input bytes never choose a class. */
  @ArchTest
  static final ArchRule javaDeserializationIsNotUsed =
      noClasses()
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.io.ObjectInputStream");

  @ArchTest
  static final ArchRule errorsAreCreatedByTheFactoryOfTheirArea =
      noClasses()
          .that()
          .haveSimpleNameNotEndingWith("Errors")
          .and()
          .doNotBelongToAnyOf(ErrorFactory.class, SparkNdRuntimeException.class)
          .should()
          .callMethodWhere(
              describe(
                  "it makes a SparkNdException",
                  call ->
                      call.getTargetOwner().isEquivalentTo(ErrorFactory.class)
                          && call.getTarget()
                              .getRawReturnType()
                              .isAssignableTo(SparkNdException.class)));

  @ArchTest
  static final ArchRule exceptionsAreCreatedByOneClass =
      noClasses()
          .that()
          .doNotBelongToAnyOf(ErrorFactory.class, SparkNdRuntimeException.class)
          .should()
          .callConstructorWhere(
              describe(
                  "it makes a SparkNdException",
                  call -> call.getTargetOwner().isEquivalentTo(SparkNdException.class)));

  @ArchTest
  static void publicClassesOfClusterAreListed(JavaClasses all) {
    Set<String> visible =
        all.stream()
            .filter(type -> SURFACE.contains(type.getPackageName()))
            .filter(ArchitectureTest::isPublicToAll)
            .map(JavaClass::getSimpleName)
            .collect(Collectors.toSet());
    assertThat(visible).isEqualTo(PUBLIC_IN_CLUSTER);
  }

  private static boolean isPublicToAll(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(ArchitectureTest::isPublicToAll).orElse(true);
  }

  @ArchTest
  static final ArchRule noGetPrefixes =
      methods().that(are(ours())).should().haveNameNotMatching("get[A-Z].*");

  @ArchTest
  static final ArchRule noBooleanParameters =
      methods()
          .that(are(ours()))
          .and()
          .arePublic()
          .and()
          .areDeclaredInClassesThat()
          .arePublic()
          .should(not(have(booleanParameter())));

  private static DescribedPredicate<JavaMethod> booleanParameter() {
    return describe(
        "a boolean parameter",
        method ->
            method.getRawParameterTypes().stream().anyMatch(t -> t.isEquivalentTo(boolean.class)));
  }

  /** Returns methods that do not override a method of another type. */
  private static DescribedPredicate<JavaMethod> ours() {
    return describe(
        "not overriding",
        method ->
            !method.getModifiers().contains(JavaModifier.SYNTHETIC)
                && supertypes(method.getOwner()).noneMatch(type -> declares(type, method)));
  }

  private static Stream<JavaClass> supertypes(JavaClass type) {
    return Stream.concat(
        type.getAllRawSuperclasses().stream(), type.getAllRawInterfaces().stream());
  }

  private static boolean declares(JavaClass type, JavaMethod method) {
    String[] parameters =
        method.getRawParameterTypes().stream().map(JavaClass::getName).toArray(String[]::new);
    return type.tryGetMethod(method.getName(), parameters).isPresent();
  }
}
