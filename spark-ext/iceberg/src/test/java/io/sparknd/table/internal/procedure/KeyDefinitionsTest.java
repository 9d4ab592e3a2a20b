/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.options.FeatureTableSpec.KeyField;
import io.sparknd.tensor.SparkNdException;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that definitions of keys are those of Spark, with the type uuid besides. */
class KeyDefinitionsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0007',
      value = {
        "user STRING | user STRING",
        "id UUID | id uuid",
        "id Uuid NOT NULL | id uuid",
        "shop STRING, id uuid, day DATE | shop STRING; id uuid; day DATE",
        "uuid UUID | uuid uuid",
        "`uuid` STRING | uuid STRING",
        "uuid BIGINT COMMENT 'uuid, uuid' | uuid BIGINT",
        "`a uuid` INT, `c``d` UUID COMMENT \"it's, uuid\" | a uuid INT; c`d uuid",
        "p DECIMAL(10, 2), id UUID | p DECIMAL(10,2); id uuid",
        "s STRUCT<a: INT, b: STRING>, id UUID | s STRUCT<a: INT, b: STRING>; id uuid",
        "a INT /* the, first uuid */, id/**/UUID /* the, second */ | a INT; id uuid",
      })
  void uuidIsOneOfTheTypes(String text, String columns) {
    assertThat(
            KeyDefinitions.parse(text).stream()
                .map(field -> field.name() + " " + field.type())
                .collect(Collectors.joining("; ")))
        .isEqualTo(columns);
  }

  /** Words of a comment would count as a column. */
  @Test
  void commentsAreNoDefinitions() {
    String text = "a STRING -- of, shop uuid\n, b INT--, c uuid\n, c uuid";
    assertThat(KeyDefinitions.parse(text).stream().map(KeyField::type))
        .containsExactly("STRING", "INT", "uuid");
  }

  /** Spark's parser has no defaults here; signs of an expression would count as those of a type. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0007',
      value = {
        "n INT DEFAULT (1 < 2), id UUID | n",
        "n BIGINT default 1 > 0, s STRING | n",
        "s STRUCT<a: INT>, `of it` UUID NOT NULL DEFAULT 'x' | `of it`",
        "n INT DEFAULT 3 | n",
      })
  void aDefaultOfAKeyIsRefused(String text, String column) {
    assertThatThrownBy(() -> KeyDefinitions.parse(text))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("key column " + column + " has a DEFAULT");
  }

  @Test
  void defaultIsANameElsewhere() {
    assertThat(KeyDefinitions.parse("default STRING COMMENT 'default', s STRUCT<default: INT>"))
        .extracting(KeyField::name)
        .containsExactly("default", "s");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"id", "id UUIDS", "id ARRAY<UUID>", "id UUID,", "id:UUID", "id UUID day DATE"})
  void otherTextIsAnErrorOfSpark(String text) {
    assertThatThrownBy(() -> KeyDefinitions.parse(text)).isInstanceOf(ParseException.class);
  }
}
