/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.docs.JavaSources;
import io.sparknd.docs.Page;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that the settings are documented and complete. */
class SparkNdSettingTest {
  private static final Pattern KEY = Pattern.compile("\"(spark\\.sparknd\\.[\\w.]+)\"");

  private final SparkSession spark = LocalSpark.session();

  @AfterEach
  void unset() {
    spark.conf().unset(SparkNdSetting.SKEW_BYTES.key());
    spark.conf().unset(SparkNdSetting.ALLOW_HADOOP_CATALOG.key());
    spark.conf().unset(SparkNdSetting.VERIFY_CHECKSUMS.key());
    spark.conf().unset(SparkNdSetting.TRAINING_EXCHANGE.key());
  }

  @Test
  void documentationListsTheSettings() throws IOException {
    assertThat(Page.ROOT.resolve("docs/reference/configuration.md"))
        .content()
        .contains(SparkNdSetting.table());
  }

  @Test
  void everySettingInTheSourcesIsDeclared() throws IOException {
    String all = SparkNdSetting.table();
    for (Path file : JavaSources.mainBelow("spark-ext")) {
      Matcher keys = KEY.matcher(Files.readString(Page.ROOT.resolve(file)));
      while (keys.find()) {
        assertThat(all).as(file.toString()).contains("`" + keys.group(1) + "`");
        assertThat(file).hasFileName("SparkNdSetting.java");
      }
    }
  }

  @Test
  void wordsOfSettingsAreKnownOnesInAnyCase() {
    String key = SparkNdSetting.VERIFY_CHECKSUMS.key();
    assertThat(SparkNdSetting.VERIFY_CHECKSUMS.isTrueIn(spark)).isTrue();
    spark.conf().set(key, " False ");
    assertThat(SparkNdSetting.VERIFY_CHECKSUMS.isTrueIn(spark)).isFalse();
    spark.conf().set(key, "yes");
    assertThatThrownBy(() -> SparkNdSetting.VERIFY_CHECKSUMS.isTrueIn(spark))
        .isInstanceOf(SparkNdException.class)
        .hasMessage("spark.sparknd.verifyChecksums 'yes' is unknown; use one of true, false");
    spark.conf().set(SparkNdSetting.TRAINING_EXCHANGE.key(), "SHUFFLE");
    List<String> exchanges = List.of("auto", "shuffle");
    assertThat(SparkNdSetting.TRAINING_EXCHANGE.wordIn(spark, exchanges)).isEqualTo("shuffle");
    spark.conf().set(SparkNdSetting.TRAINING_EXCHANGE.key(), "shuffles");
    assertThatThrownBy(() -> SparkNdSetting.TRAINING_EXCHANGE.wordIn(spark, exchanges))
        .hasMessageContaining("'shuffles' is unknown; use one of auto, shuffle");
  }

  @Test
  void settingsAreReadFromTheSession() {
    assertThat(SparkNdSetting.SKEW_BYTES.in(spark)).isEqualTo("auto");
    assertThat(SparkNdSetting.SKEW_BYTES.bytesIn(spark)).isEmpty();
    assertThat(SparkNdSetting.ALLOW_HADOOP_CATALOG.isTrueIn(spark)).isFalse();
    spark.conf().set(SparkNdSetting.SKEW_BYTES.key(), "64k");
    spark.conf().set(SparkNdSetting.ALLOW_HADOOP_CATALOG.key(), "true");
    assertThat(SparkNdSetting.SKEW_BYTES.bytesIn(spark)).hasValue(65_536);
    assertThat(SparkNdSetting.ALLOW_HADOOP_CATALOG.isTrueIn(spark)).isTrue();
    spark.conf().set(SparkNdSetting.SKEW_BYTES.key(), "much");
    assertThatThrownBy(() -> SparkNdSetting.SKEW_BYTES.bytesIn(spark))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("spark.sparknd.skewBytes = 'much'");
  }
}
