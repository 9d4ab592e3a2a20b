/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import org.apache.iceberg.Files;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.parquet.GenericParquetReaders;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.FileAppender;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which configuration files the writers of data files read, and that files are written. */
class IcebergParquetTest {
  private static final Schema SCHEMA =
      new Schema(Types.NestedField.required(1, "id", Types.LongType.get()));

  private final ClassLoader before = Thread.currentThread().getContextClassLoader();
  private final Resources resources = new Resources(before);
  @TempDir Path directory;

  @AfterEach
  void restore() {
    Thread.currentThread().setContextClassLoader(before);
  }

  @Test
  void sitesAreReadOnceAndDefaultsNever() throws IOException {
    Thread.currentThread().setContextClassLoader(resources);
    write("a.parquet");
    Set<String> sites =
        resources.asked.stream()
            .filter(name -> name.endsWith(".xml"))
            .collect(Collectors.toCollection(ConcurrentSkipListSet::new));
    assertTrue(sites.contains("core-site.xml"), sites.toString());
    assertEquals(List.of(), sites.stream().filter(name -> name.endsWith("-default.xml")).toList());
    resources.asked.clear();
    write("b.parquet");
    assertEquals(
        List.of(), resources.asked.stream().filter(name -> name.endsWith(".xml")).toList());
  }

  @Test
  void contextClassLoaderIsRestored() throws IOException {
    Thread.currentThread().setContextClassLoader(resources);
    write("a.parquet");
    assertSame(resources, Thread.currentThread().getContextClassLoader());
  }

  @Test
  void filesAreReadBack() throws IOException {
    for (ClassLoader loader : new ClassLoader[] {null, before, resources}) {
      Thread.currentThread().setContextClassLoader(loader);
      String name = "loader-" + System.identityHashCode(loader) + ".parquet";
      write(name);
      Thread.currentThread().setContextClassLoader(before);
      try (CloseableIterable<GenericRecord> rows =
          Parquet.read(Files.localInput(directory.resolve(name).toFile()))
              .project(SCHEMA)
              .createReaderFunc(type -> GenericParquetReaders.buildReader(SCHEMA, type))
              .build()) {
        assertEquals(7L, rows.iterator().next().getField("id"));
      }
    }
  }

  private void write(String name) throws IOException {
    GenericRecord row = GenericRecord.create(SCHEMA);
    row.setField("id", 7L);
    try (FileAppender<GenericRecord> file =
        IcebergParquet.write(Files.localOutput(directory.resolve(name).toFile()))
            .schema(SCHEMA)
            .set("write.parquet.compression-codec", "zstd")
            .createWriterFunc(type -> GenericParquetWriter.create(SCHEMA, type))
            .build()) {
      file.add(row);
    }
  }

  /** Notes the names of resources. */
  private static final class Resources extends ClassLoader {
    private final Set<String> asked = new ConcurrentSkipListSet<>();

    Resources(ClassLoader parent) {
      super(parent);
    }

    @Override
    public @Nullable URL getResource(String name) {
      asked.add(name);
      return super.getResource(name);
    }
  }
}
