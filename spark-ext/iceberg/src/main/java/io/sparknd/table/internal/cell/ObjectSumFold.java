/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Adds decimals exactly, or concatenates strings.
 *
 * @param type type of the variable
 */
record ObjectSumFold(DataType type) implements CellFold {
  @Override
  public void fold(CellTarget target, CellUpdates updates) {
    for (int i = 0; i < updates.count(); i++) {
      int slot = updates.slots()[i];
      Object update = updates.values().value(i);
      if (update != null) {
        Object stored = target.values().value(slot);
        target.values().set(slot, stored == null ? update : sum(slot, stored, update));
      }
    }
  }

  private Object sum(int slot, Object stored, Object update) {
    if (stored instanceof UTF8String text) {
      return UTF8String.concat(text, (UTF8String) update);
    }
    DecimalType decimal = (DecimalType) type;
    Decimal sum = ((Decimal) stored).$plus((Decimal) update);
    if (!sum.changePrecision(decimal.precision(), decimal.scale())) {
      throw new CellException(
          slot, "the sum of " + stored + " and " + update + " does not fit " + type.simpleString());
    }
    return sum;
  }
}
