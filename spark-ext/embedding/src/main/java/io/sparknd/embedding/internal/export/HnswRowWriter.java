/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.export;

import io.sparknd.embedding.export.HnswFormat;
import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.embedding.internal.IndexFields;
import io.sparknd.embedding.internal.IndexVectors;
import io.sparknd.embedding.internal.rows.RowTile;
import io.sparknd.embedding.nearest.VectorMetric;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.lucene912.Lucene912Codec;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.NoLockFactory;

/**
 * Writes an index of Lucene. The graph has each distinct vector once: with equal ones, which have
 * room for no other neighbors, a search does not leave them. A vector is in the document of its
 * first row, and documents of the other rows with it follow.
 */
final class HnswRowWriter implements RowWriter {
  /** Vectors that Lucene holds in memory before it writes a segment, in MiB. */
  private static final int BUFFER_MIB = 128;

  /** The temporary file of vectors: no name of Lucene's. */
  private static final String VECTORS = "sparknd-vectors.tmp";

  private final VectorMetric metric;
  private final int dim;
  private final Directory directory;
  private final IndexWriter writer;
  private final DistinctVectors vectors;

  /** The largest absolute value of an element. */
  private float largest;

  private HnswRowWriter(
      VectorMetric metric,
      int dim,
      Directory directory,
      IndexWriter writer,
      DistinctVectors vectors) {
    this.metric = metric;
    this.dim = dim;
    this.directory = directory;
    this.writer = writer;
    this.vectors = vectors;
  }

  static HnswRowWriter create(Path path, OrderedRows rows, HnswFormat format) throws IOException {
    KnnVectorsFormat vectors =
        new Lucene99HnswVectorsFormat(format.connections(), format.constructionCandidates());
    check("the number of weights in a row", rows.dim(), vectors.getMaxDimensions(""));
    check("the number of rows", rows.count(), IndexWriter.MAX_DOCS);
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setCodec(
                new Lucene912Codec() {
                  @Override
                  public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
                    return vectors;
                  }
                })
            .setRAMBufferSizeMB(BUFFER_MIB)
            .setMergeScheduler(new SerialMergeScheduler())
            .setCommitOnClose(false);
    // nobody else knows the directory, and a lock would leave a file in it
    Directory directory = FSDirectory.open(path, NoLockFactory.INSTANCE);
    return new HnswRowWriter(
        format.metric(),
        rows.dim(),
        directory,
        new IndexWriter(directory, config),
        DistinctVectors.create(path.resolve(VECTORS), rows.dim()));
  }

  private static void check(String name, long value, long most) {
    if (value > most) {
      throw EmbeddingErrors.badIndexSize(name, value, 0, most);
    }
  }

  private static VectorSimilarityFunction similarity(VectorMetric metric) {
    return switch (metric) {
      case DOT -> VectorSimilarityFunction.MAXIMUM_INNER_PRODUCT;
      case COSINE -> VectorSimilarityFunction.COSINE;
      case EUCLIDEAN -> VectorSimilarityFunction.EUCLIDEAN;
    };
  }

  @Override
  public void append(RowTile tile) throws IOException {
    for (int row = 0; row < tile.count(); row++) {
      float[] vector = Arrays.copyOfRange(tile.weights(), row * dim, (row + 1) * dim);
      add(tile.ids()[row], vector);
    }
  }

  private void add(long id, float[] vector) throws IOException {
    boolean isZero = true;
    for (float element : vector) {
      if (!Float.isFinite(element)) {
        throw EmbeddingErrors.badRow(id, element);
      }
      isZero &= element == 0;
      largest = Math.max(largest, Math.abs(element));
    }
    if (isZero && metric == VectorMetric.COSINE) {
      return;
    }
    if (IndexVectors.squares(vector) > IndexVectors.MAX_SQUARES) {
      throw EmbeddingErrors.rowTooLong(id, Math.sqrt(IndexVectors.squares(vector)));
    }
    vectors.add(id, metric == VectorMetric.COSINE ? IndexVectors.enlarged(vector) : vector);
  }

  /** Cosines need no scale: rows that do are enlarged one by one. */
  private int exponent() {
    return metric == VectorMetric.COSINE ? 0 : IndexVectors.exponent(largest);
  }

  /** Adds documents of one vector. They are in one block, which merges keep together. */
  private void addDocuments(float[] vector, long[] ids) throws IOException {
    Document first = document(ids[0]);
    first.add(new KnnFloatVectorField(IndexFields.EMBEDDING, vector, similarity(metric)));
    first.add(new NumericDocValuesField(IndexFields.ROWS, ids.length));
    Iterable<Document> block =
        () ->
            Stream.concat(
                    Stream.of(first),
                    Arrays.stream(ids, 1, ids.length).mapToObj(HnswRowWriter::document))
                .iterator();
    writer.addDocuments(block);
  }

  private static Document document(long id) {
    Document document = new Document();
    document.add(new NumericDocValuesField(IndexFields.ID, id));
    return document;
  }

  /** Merges to one segment: a search has one graph to visit then. */
  @Override
  public void finish() throws IOException {
    int exponent = exponent();
    vectors.forEach(
        (vector, ids) -> addDocuments(IndexVectors.timesPowerOfTwo(vector, exponent), ids));
    writer.forceMerge(1);
    writer.setLiveCommitData(
        Map.of(
                IndexFields.FORMAT,
                IndexFields.CURRENT_FORMAT,
                IndexFields.METRIC,
                metric.toString(),
                IndexFields.DIM,
                Integer.toString(dim),
                IndexFields.EXPONENT,
                Integer.toString(exponent))
            .entrySet());
    writer.commit();
  }

  @Override
  public void close() throws IOException {
    try (directory;
        vectors) {
      writer.close();
    }
  }
}
