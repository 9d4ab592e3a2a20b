/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The references of SparkND's classes to non-public classes of Spark. */
final class SparkInternals {
  private static final String SPARK = "org.apache.spark.";

  /** The classes in Spark's API documentation for Java and Scala, developer API included. */
  private static final Pattern PUBLIC =
      Pattern.compile(
          "api\\..*|broadcast\\.Broadcast"
              + "|(Dependency|NarrowDependency|OneToOneDependency|ShuffleDependency)"
              + "|(HashPartitioner|Partition|Partitioner|FutureAction|SimpleFutureAction)"
              + "|(SparkConf|SparkContext|SparkEnv|TaskContext|package)"
              + "|(QueryContext|QueryContextType|SparkThrowable)"
              + "|executor\\.TaskMetrics|rdd\\.(RDD|PartitionPruningRDD|ShuffledRDD)"
              + "|scheduler\\.(SparkListener|SparkListenerEvent|SparkListenerInterface"
              + "|SparkListenerStageSubmitted|SparkListenerTaskEnd|StageInfo|TaskInfo)"
              + "|serializer\\.(Serializer|SerializerInstance|SerializationStream"
              + "|DeserializationStream)"
              + "|sql\\.[A-Za-z]+|sql\\.(catalog|connector|expressions|sources)\\..*"
              + "|sql\\.api\\.java\\..*|sql\\.types\\..*|sql\\.vectorized\\..*"
              + "|sql\\.util\\.CaseInsensitiveStringMap|storage\\.(BlockId|BlockManagerId"
              + "|RDDBlockId|ShuffleBlockId|StorageLevel)"
              + "|util\\.(AccumulatorV2|CollectionAccumulator|LongAccumulator"
              + "|TaskCompletionListener|TaskFailureListener)");

  private static final String HEAD =
      """
      # Spark's internals

      SparkND runs on Spark 4.1 and 4.2 and on no other minor version, because the classes below use classes of Spark that are not its
      public API. Another minor version is refused ([how](../operate/operations.md#versions)). To port SparkND
      to another Spark, start with these classes. A test compares this page with the compiled classes of the modules `spark-ext` and
      `udfs`; it writes the page anew with `-Dsparknd.internals.write=true`.

      | SparkND | Spark |
      | --- | --- |
      """;

  private final Map<String, SortedSet<String>> uses = new TreeMap<>();

  SparkInternals(JavaClasses classes) {
    for (JavaClass type : classes) {
      type.getDirectDependenciesFromSelf().stream()
          .map(dependency -> dependency.getTargetClass().getBaseComponentType().getName())
          .filter(SparkInternals::isInternal)
          .forEach(name -> uses.computeIfAbsent(owner(type), key -> new TreeSet<>()).add(name));
    }
  }

  private static boolean isInternal(String name) {
    String topLevel = name.replaceAll("\\$.*", "");
    return name.startsWith(SPARK) && !PUBLIC.matcher(topLevel.substring(SPARK.length())).matches();
  }

  private static String owner(JavaClass type) {
    return type.getEnclosingClass().map(SparkInternals::owner).orElse(type.getName());
  }

  /** Returns the documentation page. */
  String page() {
    StringBuilder page = new StringBuilder(HEAD);
    uses.forEach(
        (owner, internals) ->
            page.append("| `")
                .append(owner.replace("io.sparknd.", ""))
                .append("` | ")
                .append(String.join(" ", internals.stream().map(SparkInternals::shown).toList()))
                .append(" |\n"));
    return page.toString();
  }

  private static String shown(String name) {
    return "`" + name.substring(SPARK.length()) + "`";
  }
}
