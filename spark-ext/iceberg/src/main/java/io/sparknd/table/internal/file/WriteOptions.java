/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.table.internal.TableErrors;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.apache.iceberg.TableProperties;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.codec.ZstandardCodec;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;

/** Options for writing Parquet files, from Iceberg's table properties. */
record WriteOptions(
    CompressionCodecName codec, @Nullable String level, long groupBytes, int pageBytes) {
  private static final ParquetConfiguration DEFAULTS = new PlainParquetConfiguration();

  static WriteOptions of(Map<String, String> properties) {
    return new WriteOptions(
        codec(properties.get(TableProperties.PARQUET_COMPRESSION)),
        properties.get(TableProperties.PARQUET_COMPRESSION_LEVEL),
        number(
            properties,
            TableProperties.PARQUET_ROW_GROUP_SIZE_BYTES,
            TableProperties.PARQUET_ROW_GROUP_SIZE_BYTES_DEFAULT,
            Long.MAX_VALUE),
        (int)
            number(
                properties,
                TableProperties.PARQUET_PAGE_SIZE_BYTES,
                TableProperties.PARQUET_PAGE_SIZE_BYTES_DEFAULT,
                1 << 30));
  }

  private static CompressionCodecName codec(@Nullable String name) {
    if (name == null) {
      return CompressionCodecName.UNCOMPRESSED;
    }
    return Arrays.stream(CompressionCodecName.values())
        .filter(codec -> codec.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                TableErrors.unknownCodec(
                    TableProperties.PARQUET_COMPRESSION,
                    name,
                    Arrays.toString(CompressionCodecName.values()).toLowerCase(Locale.ROOT)));
  }

  private static long number(
      Map<String, String> properties, String key, long otherwise, long most) {
    String text = properties.get(key);
    try {
      long number = text == null ? otherwise : Long.parseLong(text);
      if (number > 0) {
        return Math.min(number, most);
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw TableErrors.badTableProperty(key, String.valueOf(text), "a number of bytes, 1 or more");
  }

  CodecFactory codecs() {
    if (level == null) {
      return new CodecFactory(DEFAULTS, pageBytes);
    }
    ParquetConfiguration own = new PlainParquetConfiguration();
    own.set(ZstandardCodec.PARQUET_COMPRESS_ZSTD_LEVEL, level);
    own.set("zlib.compress.level", level);
    return new CodecFactory(own, pageBytes);
  }
}
