/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

/**
 * Lua scripts, which Redis runs without others between: each one checks that its step is the last
 * that began. The first key is that of the position.
 */
final class RedisScripts {
  private RedisScripts() {}

  /** Records a position; arguments are the epoch that was read, and then fields and values. */
  static final String POSITION =
      """
      local epoch = redis.call('HGET', KEYS[1], 'epoch')
      if (epoch or '0') ~= ARGV[1] then return 0 end
      for i = 2, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
      return 1
      """;

  /**
   * Writes rows. Most of its time is that of calls, so keys that are new, as all are in a first
   * publication, are looked up by one call together and written by one call each. Arguments are the
   * epoch, the field of the version, and for each row its number of fields and values, -1 to delete
   * it, and these. Returns -1 if the epoch is another, the position of the first key that has no
   * version, or 0.
   */
  static final String WRITE =
      """
      if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return -1 end
      local some = redis.call('EXISTS', unpack(KEYS)) > 1
      if some then
        for i = 2, #KEYS do
          local version = redis.pcall('HGET', KEYS[i], ARGV[2])
          if type(version) ~= 'string' and redis.call('EXISTS', KEYS[i]) == 1 then return i - 1 end
        end
      end
      local at = 3
      for i = 2, #KEYS do
        local count = tonumber(ARGV[at])
        at = at + 1
        if some then redis.call('DEL', KEYS[i]) end
        if count >= 0 then
          local last = at + count - 1
          redis.call('HSET', KEYS[i], ARGV[2], ARGV[1], unpack(ARGV, at, math.min(at + 999, last)))
          for j = at + 1000, last, 1000 do
            redis.call('HSET', KEYS[i], unpack(ARGV, j, math.min(j + 999, last)))
          end
          at = at + count
        end
      end
      return 0
      """;

  /**
   * Deletes the rows among the other keys whose version is not the epoch; other keys stay. Returns
   * their number, or -1 if the epoch is another.
   */
  static final String DELETE_OLDER =
      """
      if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return -1 end
      local deleted = 0
      for i = 2, #KEYS do
        local version = redis.pcall('HGET', KEYS[i], ARGV[2])
        if type(version) == 'string' and version ~= ARGV[1] then
          redis.call('DEL', KEYS[i])
          deleted = deleted + 1
        end
      end
      return deleted
      """;
}
