/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.files.ManifestJson;
import io.sparknd.cluster.internal.files.SmallFiles;
import io.sparknd.embedding.internal.TrainingErrors;
import io.sparknd.tensor.TensorErrors;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The manifests of checkpoints in a directory, JSON files whose names end with the number of the
 * checkpoint, such as its steps. Other files are ignored.
 *
 * @param <M> the content of a manifest
 */
final class ManifestFiles<M> {
  private static final Logger LOG = LoggerFactory.getLogger(ManifestFiles.class);

  private final SmallFiles files;
  private final String directory;
  private final String kind;
  private final Pattern pattern;
  private final Class<M> type;
  private final int known;

  /**
   * Describes manifests.
   *
   * @param kind what names begin with
   * @param known the only format that can be read
   */
  ManifestFiles(SmallFiles files, String directory, String kind, Class<M> type, int known) {
    this.files = files;
    this.directory = directory;
    this.kind = kind;
    this.pattern = Pattern.compile(Pattern.quote(kind) + "-\\d{19}\\.json");
    this.type = type;
    this.known = known;
  }

  /** Returns the name of the manifest of a checkpoint. */
  String name(long number) {
    return String.format(Locale.ROOT, "%s-%019d.json", kind, number);
  }

  /** Returns the number in a name. */
  long number(String name) {
    return Long.parseLong(name.substring(kind.length() + 1, name.lastIndexOf('.')));
  }

  /** Returns the names of all manifests, in the order of their numbers. */
  List<String> names() {
    try {
      return files.names().stream()
          .filter(name -> pattern.matcher(name).matches())
          .sorted()
          .toList();
    } catch (IOException e) {
      throw TensorErrors.unreadableFile(directory, e);
    }
  }

  /**
   * Reads a manifest.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is damaged or of another format
   */
  M read(String name) {
    try {
      return ManifestJson.read(files.read(name), known, type);
    } catch (IOException e) {
      throw TrainingErrors.notACheckpoint(files.path(name), e);
    }
  }

  /** Writes the manifest of a checkpoint. */
  void write(String name, M manifest) throws IOException {
    files.write(name, ManifestJson.bytes(manifest));
  }

  /** Says in the log that an old checkpoint, or a table that it names, stays. */
  void warnNotDeleted(String name, Exception failure) {
    String file = files.path(name);
    LOG.atWarn()
        .addKeyValue("path", file)
        .setCause(failure)
        .log("checkpoint {} or a table of it cannot be deleted: {}", file, failure.getMessage());
  }
}
