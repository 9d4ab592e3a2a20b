/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the functions for Datasets in a Connect client whose class path has SparkND. */
@Tag("slow")
class ConnectDatasetsTest {
  private static ConnectServer server;

  @BeforeAll
  static void startServer() {
    server = ConnectServer.start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Test
  void datasetsOfAClientAreScatteredAndGathered() throws Exception {
    List<String> printed =
        ConnectServer.runClient(
            RemoteDatasets.class, ConnectServer.sparkNdClassPath(), server.address());
    assertThat(printed)
        .containsSubsequence(
            "gather {\"id\":2,\"label\":\"it's\",\"vec\":[2.0,20.0]}",
            "gather {\"id\":9,\"label\":\"out\",\"vec\":[-1.5,-1.5]}",
            "scatter {\"i\":0,\"day\":\"2026-05-03\"}",
            "scatter {\"i\":1}",
            "scatter {\"i\":2,\"day\":\"2026-04-30\"}",
            "tensor {\"id\":0,\"vec\":[0.0,0.0]}",
            "tensor {\"id\":1,\"vec\":[7.0,7.0]}",
            "tensor {\"id\":2,\"vec\":[2.0,20.0]}",
            "filled {\"day\":\"2020-02-29\"}",
            "fresh {\"i\":0,\"v\":5.0}");
    assertThat(printed)
        .anyMatch(line -> line.startsWith("mean: reduction 'mean' into a tensor has no function"))
        .anyMatch(
            line ->
                line.startsWith("found: ")
                    && line.contains("found is 'is_known', but only keys of a feature table"))
        .anyMatch(
            line ->
                line.startsWith("bad: [SPARKND_INDEX_OUT_OF_BOUNDS] ")
                    && line.contains("[9] is out of bounds"));
    assertThat(printed)
        .containsSubsequence(
            "gather of two sessions: argument 'indices' of gather_nd is a Dataset of another session than the"
                + " other table, and sessions of Spark Connect share no temporary views: make both"
                + " Datasets in one session",
            "scatter of two sessions: argument 'updates' of tensor_scatter_nd_add is a Dataset of another session"
                + " than the other table, and sessions of Spark Connect share no temporary views: make"
                + " both Datasets in one session",
            "left 0 and 0");
  }
}
