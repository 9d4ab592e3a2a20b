/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;

/** A driver of another database in front of which something happens. */
public class SlowDriver implements Driver {
  private static final String START = "jdbc:slow:";
  private static volatile Runnable before = () -> {};

  static void whileConnecting(Runnable action) {
    before = action;
  }

  @Override
  public Connection connect(String url, Properties info) throws SQLException {
    before.run();
    Properties others = new Properties();
    info.stringPropertyNames().stream()
        .filter(name -> !name.equals("driver"))
        .forEach(name -> others.setProperty(name, info.getProperty(name)));
    return DriverManager.getConnection(url.substring(START.length()), others);
  }

  @Override
  public boolean acceptsURL(String url) {
    return url.startsWith(START);
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
    return new DriverPropertyInfo[0];
  }

  @Override
  public int getMajorVersion() {
    return 1;
  }

  @Override
  public int getMinorVersion() {
    return 0;
  }

  @Override
  public boolean jdbcCompliant() {
    return false;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }
}
