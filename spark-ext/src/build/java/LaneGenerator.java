/* SPDX-License-Identifier: Apache-2.0 */
class LaneGenerator {
  public static void main(String[] a) throws Exception {
    java.nio.file.Files.createDirectories(java.nio.file.Path.of(a[1]));
  }
}
