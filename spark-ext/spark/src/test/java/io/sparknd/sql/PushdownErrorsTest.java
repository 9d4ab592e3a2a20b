/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that conditions which fail for some indices are evaluated for rows of the query alone. */
class PushdownErrorsTest {
  private static final String GATHER = "gather_nd(TABLE(emb), TABLE(clicks), array(40))";
  private static final String ADD = "tensor_scatter_nd_add(TABLE(emb), TABLE(grads), array(40))";

  private final SparkSession spark = LocalSpark.session().newSession();

  @BeforeEach
  void makeViews() {
    view("emb", "SELECT id, float(id) AS v FROM range(40) AS t(id)");
    view("clicks", "SELECT id % 7 AS user, string(id) AS label FROM range(30) AS t(id)");
    view("grads", "SELECT id % 5 AS id, 0.5F AS v FROM range(20) AS t(id)");
  }

  private void view(String name, String query) {
    spark.sql("CREATE OR REPLACE TEMP VIEW " + name + " AS " + query);
  }

  private List<String> rows(String statement) {
    return spark.sql(statement).toJSON().collectAsList();
  }

  /** The first condition holds for most slices, so that it is not moved to the tables. */
  @Test
  void conditionThatAnotherOneGuardsDoesNotFail() {
    assertThat(rows("SELECT id FROM " + ADD + " WHERE id > 3 AND 10 DIV (id - 3) = 10"))
        .containsExactly("{\"id\":4}");
    assertThat(rows("SELECT id FROM " + ADD + " WHERE v <> 5 AND 10 DIV (id - 3) = 10"))
        .containsExactly("{\"id\":4}");
  }

  @Test
  void conditionOnRowsIsNotEvaluatedForOtherSlices() {
    assertThat(rows("SELECT v FROM " + GATHER + " WHERE 20 DIV (user - 20) = -1 AND label < '2'"))
        .hasSize(12)
        .contains("{\"v\":0.0}");
    assertThat(rows("SELECT v FROM " + GATHER + " WHERE label = '1' AND 10 DIV (user - 3) = -5"))
        .containsExactly("{\"v\":1.0}");
  }

  @Test
  void functionOfAUserIsCalledForTheRowsOfAGatherAlone() {
    spark
        .udf()
        .register(
            "odd",
            (UDF1<Long, Boolean>)
                user -> {
                  if (user > 6) {
                    throw new IllegalArgumentException("no user " + user);
                  }
                  return user % 2 == 1;
                },
            DataTypes.BooleanType);
    assertThat(rows("SELECT v FROM " + GATHER + " WHERE odd(user)")).hasSize(13);
  }
}
