/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import io.sparknd.docs.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Every reference to a non-public class of Spark is listed on the page. */
class SparkInternalsTest {
  private static final Path PAGE = Page.ROOT.resolve("docs/reference/spark-internals.md");

  @Test
  void thePageHasEveryUse() throws IOException {
    String page = new SparkInternals(classes()).page();
    if (Boolean.getBoolean("sparknd.internals.write")) {
      Files.writeString(PAGE, page);
    }
    assertThat(page).contains("LocalCheckpoints", "BatchMapOutput", "MapOutputs", "PlannedRows");
    assertThat(PAGE).content().isEqualTo(page);
  }

  private static JavaClasses classes() {
    ImportOption noTests = ImportOption.Predefined.DO_NOT_INCLUDE_TESTS;
    return new ClassFileImporter()
        .withImportOption(noTests)
        .withImportOption(SparkInternalsTest::isMain)
        .importPackages("io.sparknd");
  }

  private static boolean isMain(Location location) {
    return !location.contains("-tests.jar") && !location.contains("/sparknd/examples/");
  }
}
