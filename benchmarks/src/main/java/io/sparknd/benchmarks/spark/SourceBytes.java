/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.cluster.internal.columnar.InternalRows;
import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Reads the bytes of files and gives rows that do not depend on them. */
final class SourceBytes {
  private static final int CHUNK = 1 << 20;

  private SourceBytes() {}

  /**
   * Returns rows that are given in one task for each file, after the file has been read.
   *
   * @param files the URIs of the files
   * @param schema int64 columns, of which the first is the number of the row in its task, and
   *     columns of {@link Size#WIDTH} float32
   * @param count the number of rows
   */
  static Dataset<Row> rows(SparkSession spark, List<String> files, StructType schema, int count) {
    List<Part> parts =
        IntStream.range(0, files.size())
            .mapToObj(
                i -> new Part(files.get(i), share(i + 1, files, count) - share(i, files, count)))
            .toList();
    JavaRDD<InternalRow> rows =
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .parallelize(parts, parts.size())
            .flatMap(part -> part.read().rows(schema).iterator());
    return InternalRows.toDataset(spark, rows, schema);
  }

  private static int share(int files, List<String> all, int count) {
    return (int) ((long) files * count / all.size());
  }

  /**
   * The work of one task.
   *
   * @param file its URI
   * @param count the rows to give
   */
  private record Part(String file, int count) implements Serializable {
    Part read() throws IOException {
      ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK);
      try (FileChannel channel = FileChannel.open(Path.of(URI.create(file)))) {
        while (channel.read(chunk) >= 0) {
          chunk.clear();
        }
      }
      return this;
    }

    Stream<InternalRow> rows(StructType schema) {
      Object[] values = Stream.of(schema.fields()).map(Part::value).toArray();
      UnsafeRow row = UnsafeProjection.create(schema).apply(InternalRows.row(values));
      return IntStream.range(0, count).mapToObj(i -> numbered(row, i));
    }

    private static Object value(StructField column) {
      return column.dataType() instanceof ArrayType
          ? UnsafeArrayData.fromPrimitiveArray(new float[Size.WIDTH])
          : (Object) 0L;
    }

    private static InternalRow numbered(UnsafeRow row, int i) {
      row.setLong(0, i);
      return row;
    }
  }
}
