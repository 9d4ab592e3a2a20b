/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.classes;

import io.sparknd.cli.chart.AxisScale;
import io.sparknd.cli.chart.ChartFrame;
import io.sparknd.cli.chart.ChartSeries;
import io.sparknd.cli.chart.SvgImage;
import io.sparknd.cli.chart.SvgImage.Point;
import io.sparknd.cli.chart.SvgImage.TextAnchor;
import io.sparknd.examples.support.TrainedRows;
import java.nio.file.Path;
import java.util.ArrayList;
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

/**
 * A map of packages in a plane: the mean direction of each package's class vectors, projected on
 * the first two principal components of the packages.
 *
 * @param places the positions of the packages with the most classes, by name
 */
record PackageMap(Map<String, Place> places) {
  private static final int WIDTH = 1100;
  private static final int HEIGHT = 800;
  private static final int LEFT = 70;
  private static final int TOP = 50;
  private static final int BOTTOM = 50;
  private static final int LEGEND = 200;
  private static final int LEGEND_GAP = 20;
  private static final int NAME_GAP = 8;
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
  void write(Path file) {
    SvgImage image = new SvgImage(WIDTH, HEIGHT);
    ChartFrame frame = new ChartFrame(image, LEFT, TOP, WIDTH - LEGEND, HEIGHT - BOTTOM);
    frame.title("Packages by what their classes refer to");
    AxisScale x = frame.horizontalAxis(places.values().stream().map(Place::x).toList(), "");
    AxisScale y = frame.leftAxis(places.values().stream().map(Place::y).toList(), "");
    List<ChartSeries> origins = origins();
    for (int i = 0; i < origins.size(); i++) {
      frame.points(origins.get(i), x, y, SvgImage.color(i));
    }
    frame.legend(origins.stream().map(ChartSeries::name).toList(), WIDTH - LEGEND + LEGEND_GAP);
    places.forEach(
        (name, place) ->
            image.text(
                new Point(x.at(place.x()), y.at(place.y()) - NAME_GAP),
                TextAnchor.MIDDLE,
                shortName(name)));
    image.write(file);
  }

  private List<ChartSeries> origins() {
    Map<String, List<Place>> origins = new TreeMap<>();
    places.forEach(
        (name, place) ->
            origins.computeIfAbsent(origin(name), any -> new ArrayList<>()).add(place));
    return origins.entrySet().stream()
        .map(
            origin ->
                new ChartSeries(
                    origin.getKey(),
                    origin.getValue().stream().map(Place::x).toList(),
                    origin.getValue().stream().map(Place::y).toList()))
        .toList();
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
