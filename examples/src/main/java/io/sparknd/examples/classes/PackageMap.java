/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.classes;

import io.sparknd.examples.support.TrainedRows;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Matrix;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.linalg.distributed.RowMatrix;
import org.apache.spark.sql.SparkSession;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * A map of packages in a plane: the mean direction of each package's class vectors, projected on
 * the first two principal components of the packages.
 *
 * @param places the positions of the packages with the most classes, by name
 */
record PackageMap(Map<String, Place> places) {
  private static final int WIDTH = 1100;
  private static final int HEIGHT = 800;
  private static final int ORIGIN_PARTS = 2;
  private static final int NAME_PARTS = 2;

  /** The position of a package. */
  record Place(double x, double y) {}

  /** Computes the map of the {@code most} packages with the most classes. */
  static PackageMap of(SparkSession spark, List<String> classes, TrainedRows vectors, int most) {
    Map<String, List<Integer>> members =
        IntStream.range(0, classes.size())
            .boxed()
            .collect(
                Collectors.groupingBy(
                    i -> packageOf(classes.get(i)), TreeMap::new, Collectors.toList()));
    List<String> names =
        members.keySet().stream()
            .sorted(Comparator.comparingInt(name -> -members.get(name).size()))
            .limit(most)
            .toList();
    List<Vector> centres = names.stream().map(name -> centre(members.get(name), vectors)).toList();
    RowMatrix matrix =
        new RowMatrix(
            JavaSparkContext.fromSparkContext(spark.sparkContext()).parallelize(centres).rdd());
    Matrix axes = matrix.computePrincipalComponents(2);
    Map<String, Place> places = new TreeMap<>();
    for (int i = 0; i < names.size(); i++) {
      places.put(names.get(i), place(centres.get(i), axes));
    }
    return new PackageMap(places);
  }

  private static String packageOf(String name) {
    return name.substring(0, Math.max(0, name.lastIndexOf('.')));
  }

  private static Vector centre(List<Integer> members, TrainedRows vectors) {
    double[] sum = new double[vectors.dim()];
    for (int row : members) {
      double length = Math.sqrt(vectors.dot(row, row));
      for (int d = 0; d < sum.length; d++) {
        sum[d] += vectors.values()[row * sum.length + d] / length / members.size();
      }
    }
    return Vectors.dense(sum);
  }

  private static Place place(Vector centre, Matrix axes) {
    double[] at = axes.transpose().multiply(centre).toArray();
    return new Place(at[0], at[1]);
  }

  /** Writes an SVG file; packages of one origin, such as {@code org.apache}, have one colour. */
  void write(Path file) throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("Packages by what their classes refer to")
            .build();
    chart.getStyler().setDefaultSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setMarkerSize(8);
    places.keySet().stream()
        .collect(Collectors.groupingBy(PackageMap::origin, TreeMap::new, Collectors.toList()))
        .forEach((origin, names) -> add(chart, origin, names));
    VectorGraphicsEncoder.saveVectorGraphic(chart, file.toString(), VectorGraphicsFormat.SVG);
  }

  private void add(XYChart chart, String origin, List<String> names) {
    List<Place> at = names.stream().map(places::get).toList();
    chart.addSeries(origin, at.stream().map(Place::x).toList(), at.stream().map(Place::y).toList());
    for (String name : names) {
      Place place = places.get(name);
      chart.addAnnotation(new AnnotationText(shortName(name), place.x(), place.y(), false));
    }
  }

  private static String origin(String name) {
    return Arrays.stream(name.split("\\.")).limit(ORIGIN_PARTS).collect(Collectors.joining("."));
  }

  /** Returns the end of a name; the colour shows its beginning. */
  private static String shortName(String name) {
    String[] parts = name.split("\\.");
    return Arrays.stream(parts)
        .skip(Math.max(0, parts.length - NAME_PARTS))
        .collect(Collectors.joining("."));
  }
}
