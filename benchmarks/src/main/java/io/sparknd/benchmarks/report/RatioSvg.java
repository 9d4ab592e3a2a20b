/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

/**
 * Draws our times beside the best peers': a grey bar is the peer's time, the bar on it ours, a mark
 * the goal.
 */
final class RatioSvg {
  private static final int BAR = 10;
  private static final int GAP = 12;

  private static final String STYLE =
      """
      .peer { fill: #d1d9e0; }
      .p0 { fill: #0969da; }
      .p1 { fill: #8250df; }
      .p2 { fill: #1a7f37; }
      .goal { fill: #1f2328; }
      """;
  private static final String DARK_STYLE =
      """
        .peer { fill: #3d444d; }
        .p0 { fill: #4493f8; }
        .p1 { fill: #ab7df8; }
        .p2 { fill: #3fb950; }
        .goal { fill: #f0f6fc; }
      """;
  private static final String LEGEND =
      "SparkND's time divided by the best correct peer's. Grey: the peer's time. Mark: the goal.";

  private final RatioChart chart;
  private final SvgDrawing drawing;

  RatioSvg(RatioChart chart) {
    this.chart = chart;
    this.drawing = new SvgDrawing(chart.title(), STYLE, DARK_STYLE);
  }

  String draw() {
    drawing.text("note", LEGEND);
    for (RatioChart.Row row : chart.rows()) {
      drawing.skip(GAP);
      drawing.text("name", row.name());
      row.bars().forEach(this::bar);
    }
    return drawing.document();
  }

  private void bar(RatioChart.Bar bar) {
    drawing.text("note", bar.note());
    double unit = SvgDrawing.PLOT / chart.limit();
    int y = drawing.y();
    drawing.box("peer", SvgDrawing.MARGIN, y, unit, BAR);
    drawing.box("p" + bar.processor(), SvgDrawing.MARGIN, y + 2, unit * bar.ratio(), BAR - 4);
    if (bar.goal() <= chart.limit()) {
      drawing.box("goal", SvgDrawing.MARGIN + unit * bar.goal() - 1, y - 1, 2, BAR + 2);
    }
    drawing.skip(BAR + 3);
  }
}
