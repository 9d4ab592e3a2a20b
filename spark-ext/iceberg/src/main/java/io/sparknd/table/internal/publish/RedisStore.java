/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import io.sparknd.table.internal.PublicationErrors;
import io.sparknd.table.internal.cell.Cells;
import io.sparknd.table.internal.feature.FeatureColumn;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLParameters;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.resps.ScanResult;

/** A connection to a Redis server. */
final class RedisStore implements SinkStore {
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final int PAGE = 1000;

  /** Bytes after which rows go into another call of a script, which blocks the server. */
  private static final long MAX_BYTES = 1 << 20;

  private final Jedis redis;
  private final StoreAddress address;
  private final String name;
  private final PublishedColumns columns;
  private final CellEncoder encoder;
  private final List<byte[]> fieldNames;

  private RedisStore(Jedis redis, StoreAddress address, String name, PublishedColumns columns) {
    this.redis = redis;
    this.address = address;
    this.name = name;
    this.columns = columns;
    this.encoder = new CellEncoder(columns.values());
    this.fieldNames =
        columns.variables().stream().map(FeatureColumn::name).map(RowText::utf8).toList();
  }

  static RedisStore open(StoreAddress address, String name, PublishedColumns columns) {
    try {
      return new RedisStore(connect(URI.create(address.url())), address, name, columns);
    } catch (JedisException e) {
      throw address.failed(e);
    }
  }

  private static Jedis connect(URI server) {
    // by themselves, neither Java's sockets nor Jedis compare the certificate with the host
    SSLParameters tls = new SSLParameters();
    tls.setEndpointIdentificationAlgorithm("HTTPS");
    return new Jedis(server, TIMEOUT_MILLIS, null, tls, null);
  }

  private <T> T call(Supplier<T> call) {
    try {
      return call.get();
    } catch (JedisException e) {
      throw address.failed(e);
    }
  }

  @Override
  public Optional<SinkPosition> position() {
    String type = call(() -> redis.type(name));
    if (type.equals("none")) {
      return Optional.empty();
    }
    Map<String, String> fields = type.equals("hash") ? call(() -> redis.hgetAll(name)) : Map.of();
    return Optional.of(
        SinkPosition.of(fields)
            .orElseThrow(() -> PublicationErrors.foreignPosition(name, address.shown())));
  }

  @Override
  public boolean begin(Optional<SinkPosition> before, SinkPosition step) {
    return record(before.map(SinkPosition::epoch).orElse(0L), step);
  }

  @Override
  public boolean end(SinkPosition ended) {
    return record(ended.epoch(), ended);
  }

  private boolean record(long epoch, SinkPosition position) {
    List<byte[]> arguments = new ArrayList<>(List.of(RowText.utf8(Long.toString(epoch))));
    position
        .fields()
        .forEach(
            (field, value) -> {
              arguments.add(RowText.utf8(field));
              arguments.add(RowText.utf8(value));
            });
    return run(RedisScripts.POSITION, List.of(RowText.utf8(name)), arguments) == 1;
  }

  private long run(String script, List<byte[]> keys, List<byte[]> arguments) {
    return (long) call(() -> redis.eval(RowText.utf8(script), keys, arguments));
  }

  /** Keys and arguments of one call that writes rows. */
  private final class Chunk {
    final List<byte[]> keys = new ArrayList<>(List.of(RowText.utf8(name)));
    final List<byte[]> arguments = new ArrayList<>();
    long bytes;

    Chunk(long epoch) {
      arguments.add(RowText.utf8(Long.toString(epoch)));
      arguments.add(RowText.utf8(PublishedColumns.VERSION));
    }

    /** Returns whether it is large enough; Lua passes at most some thousand keys to a command. */
    boolean isFull() {
      return bytes >= MAX_BYTES || keys.size() > PAGE;
    }

    void add(PublishedRow row) {
      byte[] key = RowText.of(name, columns.keys(), row.key());
      keys.add(key);
      bytes += key.length;
      List<byte[]> fields = new ArrayList<>();
      for (int i = 0; row.cells() != null && i < row.cells().size(); i++) {
        Cells cells = row.cells().get(i);
        if (cells.isPresent(row.slot())) {
          fields.add(fieldNames.get(i));
          fields.add(encoder.bytes(cells, row.slot()));
        }
      }
      arguments.add(RowText.utf8(Integer.toString(row.cells() == null ? -1 : fields.size())));
      arguments.addAll(fields);
      bytes += fields.stream().mapToLong(field -> field.length).sum();
    }
  }

  @Override
  public long write(long epoch, List<PublishedRow> rows) {
    long bytes = 0;
    Chunk chunk = new Chunk(epoch);
    for (int i = 0; i < rows.size(); i++) {
      chunk.add(rows.get(i));
      if (chunk.isFull() || i == rows.size() - 1) {
        if (!send(chunk)) {
          return -1;
        }
        bytes += chunk.bytes;
        chunk = new Chunk(epoch);
      }
    }
    return bytes;
  }

  private boolean send(Chunk chunk) {
    long result = run(RedisScripts.WRITE, chunk.keys, chunk.arguments);
    if (result > 0) {
      byte[] foreign = chunk.keys.get((int) result);
      throw PublicationErrors.foreignRow(
          address.shown(), new String(foreign, StandardCharsets.UTF_8));
    }
    return result == 0;
  }

  @Override
  public long deleteOlder(long epoch) {
    ScanParams pattern = new ScanParams().match(RowText.utf8(name + ":*")).count(PAGE);
    List<byte[]> arguments =
        List.of(RowText.utf8(Long.toString(epoch)), RowText.utf8(PublishedColumns.VERSION));
    long deleted = 0;
    ScanResult<byte[]> page = scan(ScanParams.SCAN_POINTER_START_BINARY, pattern);
    while (true) {
      List<byte[]> keys = new ArrayList<>(List.of(RowText.utf8(name)));
      keys.addAll(page.getResult());
      long ofPage = run(RedisScripts.DELETE_OLDER, keys, arguments);
      if (ofPage < 0) {
        return -1;
      }
      deleted += ofPage;
      if (page.isCompleteIteration()) {
        return deleted;
      }
      page = scan(page.getCursorAsBytes(), pattern);
    }
  }

  private ScanResult<byte[]> scan(byte[] cursor, ScanParams pattern) {
    return call(() -> redis.scan(cursor, pattern));
  }

  @Override
  public void close() {
    redis.close();
  }
}
