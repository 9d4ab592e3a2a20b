/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import java.net.URL;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.parquet.Parquet;
import org.jspecify.annotations.Nullable;

/**
 * Creates Iceberg's builders of Parquet writers.
 *
 * <p>Unless a file belongs to Hadoop's own file systems, a builder makes a Hadoop configuration,
 * and each of these parses 0.4 MB of XML with the defaults of Hadoop, YARN and MapReduce. For a
 * file of a few rows that is most of the time. Parquet reads none of these defaults. Settings of
 * the user's {@code *-site.xml} files still apply.
 */
public final class IcebergParquet {
  private IcebergParquet() {}

  /** As {@link Parquet#writeData(OutputFile)}. */
  public static Parquet.DataWriteBuilder writeData(OutputFile file) {
    return withoutDefaults(file, Parquet::writeData);
  }

  /** As {@link Parquet#write(OutputFile)}. */
  public static Parquet.WriteBuilder write(OutputFile file) {
    return withoutDefaults(file, Parquet::write);
  }

  /** A configuration finds its files by the context class loader of the thread that creates it. */
  private static <T> T withoutDefaults(OutputFile file, Function<OutputFile, T> builder) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    ClassLoader parent = before == null ? IcebergParquet.class.getClassLoader() : before;
    thread.setContextClassLoader(new SiteSettings(parent));
    try {
      return builder.apply(file);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Has all resources but the files of Hadoop's defaults; looks for settings once a parent. */
  private static final class SiteSettings extends ClassLoader {
    private static final Map<ClassLoader, Map<String, Optional<URL>>> FOUND =
        Collections.synchronizedMap(new WeakHashMap<>());

    private final Map<String, Optional<URL>> found;

    SiteSettings(ClassLoader parent) {
      super(parent);
      this.found = FOUND.computeIfAbsent(parent, key -> new ConcurrentHashMap<>());
    }

    @Override
    public @Nullable URL getResource(String name) {
      if (name.endsWith("-default.xml")) {
        return null;
      }
      return name.endsWith("-site.xml")
          ? found
              .computeIfAbsent(name, file -> Optional.ofNullable(super.getResource(file)))
              .orElse(null)
          : super.getResource(name);
    }
  }
}
