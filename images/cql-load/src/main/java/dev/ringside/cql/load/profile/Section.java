package dev.ringside.cql.load.profile;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** A mapping in a profile. It knows the lines of its entries. */
final class Section {
  private final String name;
  private final int line;
  private final Faults faults;
  private final Map<String, Node> entries = new LinkedHashMap<>();

  private Section(String name, int line, Faults faults) {
    this.name = name;
    this.line = line;
    this.faults = faults;
  }

  /** Returns the section of a node; an empty one if it is no mapping, which is reported. */
  static Section of(String name, Node node, Faults faults) {
    Section section = new Section(name, line(node), faults);
    if (node instanceof MappingNode mapping) {
      for (NodeTuple entry : mapping.getValue()) {
        if (entry.getKeyNode() instanceof ScalarNode key) {
          if (section.entries.put(key.getValue(), entry.getValueNode()) != null) {
            faults.add(line(key), "%s is there twice: remove one", key.getValue());
          }
        } else {
          faults.add(line(entry.getKeyNode()), "%s has a key that is no text: change it", name);
        }
      }
    } else {
      faults.add(line(node), "%s is no mapping: write 'key: value' lines", name);
    }
    return section;
  }

  private static Section empty(String name, int line, Faults faults) {
    return new Section(name, line, faults);
  }

  private static int line(Node node) {
    return node.getStartMark().getLine() + 1;
  }

  /** Reports every entry that is not supported. */
  Section only(List<String> supported) {
    entries.forEach(
        (key, node) -> {
          if (!supported.contains(key)) {
            faults.add(
                line(node),
                "%s in %s is not supported: use %s",
                key,
                name,
                String.join(", ", supported));
          }
        });
    return this;
  }

  Set<String> keys() {
    return entries.keySet();
  }

  /** Returns the line of an entry; that of the section if it is not there. */
  int line(String key) {
    return entries.containsKey(key) ? line(entries.get(key)) : line;
  }

  /** Returns the line on which the text of an entry begins. */
  int textLine(String key) {
    Node node = entries.get(key);
    boolean block =
        node instanceof ScalarNode scalar
            && (scalar.getScalarStyle() == org.yaml.snakeyaml.DumperOptions.ScalarStyle.LITERAL
                || scalar.getScalarStyle() == org.yaml.snakeyaml.DumperOptions.ScalarStyle.FOLDED);
    return line(key) + (block ? 1 : 0);
  }

  /** Returns the text of an entry; {@code otherwise} if it is not there. */
  String text(String key, String otherwise) {
    Node node = entries.get(key);
    if (node == null) {
      return otherwise;
    }
    if (node instanceof ScalarNode scalar) {
      return scalar.getValue();
    }
    faults.add(line(node), "%s is no text: write '%s: text'", key, key);
    return otherwise;
  }

  /** Returns the text of an entry that must be there. */
  String needed(String key) {
    String text = text(key, "");
    if (text.isBlank()) {
      faults.add(line(key), "%s is missing: add it", key);
    }
    return text;
  }

  /** Returns the distribution of an entry; {@code otherwise} if it is not there. */
  Distribution distribution(String key, Distribution otherwise) {
    String text = text(key, "");
    if (text.isBlank()) {
      return otherwise;
    }
    try {
      return Distribution.of(text);
    } catch (IllegalArgumentException e) {
      faults.add(line(key), "%s of %s: %s", key, name, e.getMessage());
      return otherwise;
    }
  }

  /** Returns the mapping of an entry; an empty one if it is not there. */
  Section section(String key) {
    Node node = entries.get(key);
    return node == null ? empty(key, line, faults) : of(key, node, faults);
  }

  /** Returns the mappings of a list; none if it is not there. */
  List<Section> sections(String key) {
    Node node = entries.get(key);
    if (node == null) {
      return List.of();
    }
    if (node instanceof SequenceNode list) {
      return list.getValue().stream().map(each -> of(key, each, faults)).toList();
    }
    faults.add(line(node), "%s is no list: begin each entry with '- '", key);
    return List.of();
  }
}
