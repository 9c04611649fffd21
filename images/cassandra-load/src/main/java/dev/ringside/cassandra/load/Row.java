package dev.ringside.cassandra.load;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.thrift.Column;
import org.apache.cassandra.thrift.ColumnOrSuperColumn;
import org.apache.cassandra.thrift.Mutation;

/** Rows in Thrift's representation. */
final class Row {
  private Row() {}

  /** Returns the mutation that writes a whole row, as cassandra-stress sends it. */
  static Map<ByteBuffer, Map<String, List<Mutation>>> mutation(
      byte[] key, List<ByteBuffer> names, byte[][] values, long timestampMicros) {
    List<Mutation> mutations = new ArrayList<>(values.length);
    for (int i = 0; i < values.length; i++) {
      Column column = new Column(names.get(i)).setValue(values[i]).setTimestamp(timestampMicros);
      mutations.add(
          new Mutation().setColumn_or_supercolumn(new ColumnOrSuperColumn().setColumn(column)));
    }
    return Collections.singletonMap(
        ByteBuffer.wrap(key), Collections.singletonMap(Schema.TABLE, mutations));
  }

  /** Returns how a row differs from what was written; empty if it does not. */
  static String difference(List<ColumnOrSuperColumn> row, List<ByteBuffer> names, byte[][] values) {
    if (row.isEmpty()) {
      return "it is not there: was it written?";
    }
    if (row.size() != values.length) {
      return String.format("it has %d of %d columns", row.size(), values.length);
    }
    for (int i = 0; i < values.length; i++) {
      Column column = row.get(i).column;
      if (column == null || !names.get(i).equals(column.name)) {
        return "column " + i + " has another name";
      }
      if (!ByteBuffer.wrap(values[i]).equals(column.value)) {
        return "column " + i + " differs from what was written";
      }
    }
    return "";
  }
}
