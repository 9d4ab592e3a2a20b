/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.nearest;

import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.embedding.internal.IndexFields;
import io.sparknd.embedding.internal.IndexVectors;
import io.sparknd.embedding.internal.TrainingErrors;
import io.sparknd.tensor.TensorErrors;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.FSDirectory;
import org.jspecify.annotations.Nullable;

/**
 * An index of {@link io.sparknd.embedding.export.HnswFormat} in a server: no Spark is needed, only
 * {@code org.apache.lucene:lucene-core}. Files are mapped into memory, so the operating system
 * shares them among processes. Any number of threads may search.
 */
public final class HnswIndex implements Closeable {
  private final FSDirectory directory;
  private final DirectoryReader reader;
  private final IndexSearcher searcher;
  private final VectorMetric metric;
  private final int dim;

  /** Rows are multiplied by two to the power of it. */
  private final int exponent;

  private final int vectors;
  private final Comparator<NearestRow> order;

  private HnswIndex(FSDirectory directory, DirectoryReader reader) throws IOException {
    Map<String, String> data = reader.getIndexCommit().getUserData();
    check(data);
    this.directory = directory;
    this.reader = reader;
    this.searcher = new IndexSearcher(reader);
    this.metric = VectorMetric.named(data.getOrDefault(IndexFields.METRIC, ""));
    this.dim = Integer.parseInt(data.getOrDefault(IndexFields.DIM, "0"));
    this.exponent = Integer.parseInt(data.getOrDefault(IndexFields.EXPONENT, "0"));
    this.vectors = vectors(reader);
    this.order = order(metric);
  }

  private static void check(Map<String, String> data) throws IOException {
    String format = data.getOrDefault(IndexFields.FORMAT, IndexFields.CURRENT_FORMAT);
    if (!format.equals(IndexFields.CURRENT_FORMAT)) {
      throw new IOException("its format is " + format + ", not " + IndexFields.CURRENT_FORMAT);
    }
    if (!data.containsKey(IndexFields.METRIC)) {
      throw new IOException("its commit has no " + IndexFields.METRIC);
    }
  }

  private static int vectors(DirectoryReader reader) throws IOException {
    int count = 0;
    for (LeafReaderContext leaf : reader.leaves()) {
      FloatVectorValues values = leaf.reader().getFloatVectorValues(IndexFields.EMBEDDING);
      count += values == null ? 0 : values.size();
    }
    return count;
  }

  /**
   * Opens an index.
   *
   * @param path the directory that was exported
   * @throws io.sparknd.tensor.SparkNdException if there is none
   */
  public static HnswIndex open(Path path) {
    if (!Files.isDirectory(path)) { // Lucene would create it
      throw EmbeddingErrors.notAnIndex(path.toString(), new IOException("it is not a directory"));
    }
    try (Opening opened = new Opening(FSDirectory.open(path))) {
      return opened.index();
    } catch (IOException | RuntimeException e) {
      throw EmbeddingErrors.notAnIndex(path.toString(), e);
    }
  }

  /** Closes what was opened if the index cannot be. */
  private static final class Opening implements Closeable {
    private final FSDirectory directory;
    private @Nullable DirectoryReader reader;
    private boolean isOpen;

    Opening(FSDirectory directory) {
      this.directory = directory;
    }

    HnswIndex index() throws IOException {
      reader = DirectoryReader.open(directory);
      HnswIndex index = new HnswIndex(directory, reader);
      isOpen = true;
      return index;
    }

    @Override
    public void close() throws IOException {
      if (isOpen) {
        return;
      }
      if (reader != null) {
        reader.close();
      }
      directory.close();
    }
  }

  public VectorMetric metric() {
    return metric;
  }

  /** Returns the number of elements of a vector. */
  public int dim() {
    return dim;
  }

  /** Returns the number of rows. */
  public int size() {
    return reader.numDocs();
  }

  /**
   * Returns the nearest rows, nearest first; of rows with the same score, the smaller id first.
   * Some of the true nearest rows may be missing. Scores are those of {@link VectorMetric#score}.
   *
   * @param query {@code [dim]}, finite, with a Euclidean norm of at most 6e18; not all zeros for
   *     {@link VectorMetric#COSINE}
   * @param k maximum rows, at least 1
   * @param candidates distinct vectors that the search keeps while it visits the graph, {@code ef},
   *     at least {@code k}: more miss fewer of the nearest, and take longer
   * @throws io.sparknd.tensor.SparkNdException if an argument is out of bounds, or the index cannot
   *     be read
   */
  public List<NearestRow> nearest(float[] query, int k, int candidates) {
    check(query, k, candidates);
    int kept = Math.min(candidates, Math.max(1, vectors)); // Lucene allocates as many
    try {
      return nearest(query, k, search(query, kept));
    } catch (IOException e) {
      throw TensorErrors.unreadableFile(directory.getDirectory().toString(), e);
    }
  }

  private ScoreDoc[] search(float[] query, int kept) throws IOException {
    float[] scaled =
        metric == VectorMetric.EUCLIDEAN
            ? IndexVectors.timesPowerOfTwo(query, IndexVectors.queryExponent(query, exponent))
            : IndexVectors.scaled(query);
    return searcher.search(new KnnFloatVectorQuery(IndexFields.EMBEDDING, scaled, kept), kept)
        .scoreDocs;
  }

  private void check(float[] query, int k, int candidates) {
    if (k < 1) {
      throw TrainingErrors.badTraining("k", k);
    }
    if (candidates < k) {
      throw EmbeddingErrors.badIndexSize("candidates", candidates, k, Integer.MAX_VALUE);
    }
    if (query.length != dim) {
      throw EmbeddingErrors.badQueryVector(
          "has " + query.length + " elements, and rows of the index have " + dim);
    }
    boolean isZero = true;
    for (float element : query) {
      if (!Float.isFinite(element)) {
        throw EmbeddingErrors.badQueryVector("has an element that is " + element);
      }
      isZero &= element == 0;
    }
    if (isZero && metric == VectorMetric.COSINE) {
      throw EmbeddingErrors.badQueryVector("is all zeros, which has no cosine");
    }
    if (IndexVectors.squares(query) > IndexVectors.MAX_SQUARES) {
      throw EmbeddingErrors.badQueryVector(
          "has a sum of squares above "
              + IndexVectors.MAX_SQUARES
              + ", which overflows float32 in the index: scale it");
    }
  }

  /** Computes scores again: those of Lucene are of other functions, rounded to float32. */
  private List<NearestRow> nearest(float[] query, int k, ScoreDoc[] hits) throws IOException {
    int[] documents = Arrays.stream(hits).mapToInt(hit -> hit.doc).sorted().toArray();
    PriorityQueue<NearestRow> rows = new PriorityQueue<>(order.reversed());
    int next = 0;
    for (LeafReaderContext leaf : reader.leaves()) {
      int end = leaf.docBase + leaf.reader().maxDoc();
      FloatVectorValues vectorValues = leaf.reader().getFloatVectorValues(IndexFields.EMBEDDING);
      VectorRowIds ids = new VectorRowIds(leaf.reader());
      for (; next < documents.length && documents[next] < end; next++) {
        vectorValues.advance(documents[next] - leaf.docBase);
        ids.advance(documents[next] - leaf.docBase);
        float[] row = IndexVectors.timesPowerOfTwo(vectorValues.vectorValue(), -exponent);
        offer(ids, metric.score(query, row), k, rows);
      }
    }
    return rows.stream().sorted(order).toList();
  }

  /** Keeps the nearest {@code k} rows. */
  private void offer(VectorRowIds ids, double score, int k, PriorityQueue<NearestRow> rows)
      throws IOException {
    while (ids.hasNext()) {
      NearestRow row = new NearestRow(ids.next(), score);
      if (rows.size() == k && order.compare(row, rows.element()) > 0) {
        return; // neither are larger ids
      }
      rows.add(row);
      if (rows.size() > k) {
        rows.remove();
      }
    }
  }

  private static Comparator<NearestRow> order(VectorMetric metric) {
    Comparator<NearestRow> byScore = Comparator.comparingDouble(NearestRow::score);
    return (metric == VectorMetric.EUCLIDEAN ? byScore : byScore.reversed())
        .thenComparingLong(NearestRow::id);
  }

  @Override
  public void close() {
    try {
      reader.close();
      directory.close();
    } catch (IOException e) {
      throw TensorErrors.unreadableFile(directory.getDirectory().toString(), e);
    }
  }
}
