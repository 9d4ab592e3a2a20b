/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.monotonically_increasing_id;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.util.ShutdownHookManager;

/** Rewrites a query to another one with the same rows, some in another order. */
enum Disguise {
  NONE {
    @Override
    Dataset<Row> apply(Dataset<Row> rows) {
      return rows;
    }
  },
  UNION {
    @Override
    Dataset<Row> apply(Dataset<Row> rows) {
      Dataset<Row> numbered = rows.withColumn("n", monotonically_increasing_id()).cache();
      Column even = col("n").mod(2).equalTo(0);
      return numbered.where(even).union(numbered.where(even.unary_$bang())).drop("n");
    }
  },
  BROADCAST_JOIN {
    @Override
    Dataset<Row> apply(Dataset<Row> rows) {
      Dataset<Row> one = rows.sparkSession().range(1).toDF("one");
      return rows.withColumn("one", lit(0L)).join(broadcast(one), "one").drop("one");
    }
  },
  SHUFFLED_JOIN {
    @Override
    Dataset<Row> apply(Dataset<Row> rows) {
      Dataset<Row> one = rows.sparkSession().range(1).toDF("one").hint("merge");
      return rows.withColumn("one", lit(0L)).join(one, "one").drop("one");
    }
  },
  CACHED {
    @Override
    Dataset<Row> apply(Dataset<Row> rows) {
      return rows.cache();
    }
  },
  PARQUET {
    @Override
    Dataset<Row> apply(Dataset<Row> rows) {
      try {
        Path folder = Files.createTempDirectory("sparknd");
        ShutdownHookManager.registerShutdownDeleteDir(folder.toFile());
        String table = folder.resolve("table").toString();
        rows.write().parquet(table);
        return rows.sparkSession().read().schema(rows.schema()).parquet(table);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  },
  REPARTITIONED {
    @Override
    Dataset<Row> apply(Dataset<Row> rows) {
      return rows.repartition(3);
    }
  },
  LIMITED {
    @Override
    Dataset<Row> apply(Dataset<Row> rows) {
      return rows.limit(1_000_000);
    }
  },
  PROJECTED {
    @Override
    Dataset<Row> apply(Dataset<Row> rows) {
      Column[] columns =
          Arrays.stream(rows.columns()).map(name -> col(name).as(name)).toArray(Column[]::new);
      return rows.select(columns).where(lit(true));
    }
  };

  abstract Dataset<Row> apply(Dataset<Row> rows);

  /** Applies one or two of them. */
  static Dataset<Row> of(Dataset<Row> rows, Random random) {
    Disguise[] all = values();
    Dataset<Row> once = all[random.nextInt(all.length)].apply(rows);
    return all[random.nextInt(all.length)].apply(once);
  }
}
