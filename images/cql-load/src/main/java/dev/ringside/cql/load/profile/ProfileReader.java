package dev.ringside.cql.load.profile;

import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.Node;

/** Reads user profiles of cassandra-stress. Reports what is not supported, with its line. */
final class ProfileReader {
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,47}");

  /** Leaves room in the name of an outcome for "-empty". */
  private static final Pattern QUERY_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,23}");

  private static final Pattern SHARE = Pattern.compile("(.*\\))\\s*/\\s*([1-9][0-9]{0,8})");
  private static final int MOST_PARTITIONS = 1000;

  private final Faults faults = new Faults();

  private ProfileReader() {}

  /**
   * Reads a profile.
   *
   * @throws ProfileException with everything that is wrong or not supported
   */
  static Profile read(String text) throws ProfileException {
    return new ProfileReader().profile(text);
  }

  private Profile profile(String text) throws ProfileException {
    Section top = Section.of("the profile", compose(text), faults);
    top.only(
        List.of(
            "specname",
            "keyspace",
            "keyspace_definition",
            "table",
            "table_definition",
            "columnspec",
            "insert",
            "queries"));
    String keyspace = name(top, "keyspace");
    String name = name(top, "table");
    String statement = top.needed("table_definition");
    Insert insert = insert(top.section("insert"));
    Map<String, Query> queries = queries(top.section("queries"));
    TableDefinition table =
        statement.isBlank()
            ? null
            : TableDefinition.of(statement, top.textLine("table_definition"), faults);
    if (table != null && !table.name().equals(name)) {
      faults.add(
          top.textLine("table_definition"),
          "table_definition creates '%s', and table is '%s': give them the same name",
          table.name(),
          name);
    }
    Map<String, Column> columns = table == null ? Map.of() : columns(top, table);
    faults.check();
    List<Column> others = new ArrayList<>();
    columns.forEach(
        (each, column) -> {
          if (!table.partitionKey().contains(each) && !table.clustering().contains(each)) {
            others.add(column);
          }
        });
    return new Profile(
        keyspace,
        top.text("keyspace_definition", "").trim(),
        top.line("keyspace_definition"),
        table,
        table.partitionKey().stream().map(columns::get).toList(),
        table.clustering().stream().map(columns::get).toList(),
        others,
        insert,
        queries);
  }

  private Node compose(String text) throws ProfileException {
    Node node = null;
    try {
      node = new Yaml(new LoaderOptions()).compose(new StringReader(text));
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
      faults.add(line, "the profile is no YAML: %s", e.getProblem());
    }
    if (node == null) {
      if (text.isBlank()) {
        faults.add(1, "the profile is empty: fill it");
      }
      faults.check();
    }
    return node;
  }

  private String name(Section top, String key) {
    String name = top.needed(key);
    if (!name.isBlank() && !NAME.matcher(name).matches()) {
      faults.add(top.line(key), "%s is '%s': use letters, digits and '_'", key, name);
    }
    return name.toLowerCase(Locale.ROOT);
  }

  /** Returns the table's columns with their distributions. */
  private Map<String, Column> columns(Section top, TableDefinition table) {
    Map<String, Column> columns = new LinkedHashMap<>();
    table.types().forEach((name, type) -> columns.put(name, Column.of(name, type)));
    Map<String, Integer> seen = new HashMap<>();
    for (Section spec : top.sections("columnspec")) {
      spec.only(List.of("name", "size", "population", "cluster"));
      String name = spec.needed("name").toLowerCase(Locale.ROOT);
      Column column = columns.get(name);
      int line = spec.line("name");
      if (column == null) {
        faults.add(line, "columnspec has '%s', which is no column of the table", name);
        continue;
      }
      if (seen.putIfAbsent(name, line) != null) {
        faults.add(line, "columnspec has %s twice: remove one", name);
      }
      if (spec.keys().contains("cluster") && !table.clustering().contains(name)) {
        faults.add(spec.line("cluster"), "%s is no clustering column: remove its cluster", name);
      }
      columns.put(
          name,
          new Column(
              name,
              column.type(),
              spec.distribution("size", column.size()),
              spec.distribution("population", column.population()),
              spec.distribution("cluster", column.cluster())));
    }
    return columns;
  }

  private Insert insert(Section section) {
    section.only(List.of("partitions", "batchtype", "select"));
    Distribution partitions = section.distribution("partitions", Distribution.fixed(1));
    if (partitions.min() < 1 || partitions.max() > MOST_PARTITIONS) {
      faults.add(
          section.line("partitions"),
          "partitions of insert has numbers from %d to %d: use numbers from 1 to %d",
          partitions.min(),
          partitions.max(),
          MOST_PARTITIONS);
    }
    String share = section.text("select", "fixed(1)/1");
    Matcher form = SHARE.matcher(share.trim());
    Distribution select = Distribution.fixed(1);
    long of = 1;
    try {
      if (!form.matches()) {
        throw new IllegalArgumentException("'" + share + "' is no share: write it as fixed(1)/10");
      }
      select = Distribution.of(form.group(1));
      of = Long.parseLong(form.group(2));
      if (select.max() > of) {
        throw new IllegalArgumentException("'" + share + "' exceeds 1: use a share of up to 1");
      }
    } catch (IllegalArgumentException e) {
      faults.add(section.line("select"), "select of insert: %s", e.getMessage());
    }
    return new Insert(partitions, batch(section), select, of);
  }

  private BatchType batch(Section section) {
    String type = section.text("batchtype", "UNLOGGED").trim().toUpperCase(Locale.ROOT);
    switch (type) {
      case "LOGGED":
        return DefaultBatchType.LOGGED;
      case "UNLOGGED":
        return DefaultBatchType.UNLOGGED;
      default:
        faults.add(
            section.line("batchtype"),
            "batchtype '%s' is not supported: use LOGGED or UNLOGGED",
            type);
        return DefaultBatchType.UNLOGGED;
    }
  }

  private Map<String, Query> queries(Section section) {
    Map<String, Query> queries = new LinkedHashMap<>();
    for (String name : section.keys()) {
      int line = section.line(name);
      if (!QUERY_NAME.matcher(name).matches() || name.equalsIgnoreCase("insert")) {
        faults.add(
            line,
            "query '%s' has a name that is not supported: use up to 24 letters, digits and '_',"
                + " and not 'insert'",
            name);
      }
      Section query = section.section(name).only(List.of("cql", "fields"));
      String fields = query.text("fields", "samerow").trim().toLowerCase(Locale.ROOT);
      if (!fields.equals("samerow") && !fields.equals("multirow")) {
        faults.add(
            query.line("fields"),
            "fields '%s' of query %s is not supported: use samerow or multirow",
            fields,
            name);
      }
      String cql = query.needed("cql").trim().replaceAll(";$", "");
      if (!cql.isEmpty() && !cql.regionMatches(true, 0, "select", 0, "select".length())) {
        faults.add(
            query.line("cql"), "query %s is no SELECT, which is not supported: remove it", name);
      }
      queries.put(name, new Query(name, line, cql, fields.equals("samerow")));
    }
    return queries;
  }
}
