package dev.ringside.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArmPodsTest {
  /** The counters are those of 10.0.0.1 to 10.0.0.4, in this order. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // a shared store: each arm has all pods
        "10.0.0.1:1,10.0.0.2:1,10.0.0.3:1,10.0.0.4:1 | 10.0.0.1:2,10.0.0.2:2,10.0.0.3:2,10.0.0.4:2"
            + " | [0, 1, 2, 3] | [0, 1, 2, 3] | [[a, b]]",
        // a store for each arm
        "10.0.0.1:1,10.0.0.2:1 | 10.0.0.3:1,10.0.0.4:1 | [0, 1] | [2, 3] | [[a], [b]]",
        // two arms on one store of two
        "10.0.0.3:1,10.0.0.4:1 | 10.0.0.3:1,10.0.0.4:1 | [2, 3] | [2, 3] | [[a, b]]",
        // a pod in common
        "10.0.0.1:1,10.0.0.2:1 | 10.0.0.2:2,10.0.0.3:2 | [0, 1] | [1, 2] | [[a, b]]",
        // hosts that are written differently: a shared store
        "store-0:1,store-1:1 | store-0:2,store-1:2 | [0, 1, 2, 3] | [0, 1, 2, 3] | [[a, b]]",
        // ... a store for each arm: what all pods counted is that of both arms
        "store-0:1,store-1:1 | store-2:1,store-3:1 | [] | [] | [[a], [b]]",
        // ... for one arm only
        "10.0.0.1:1,10.0.0.2:1 | store-2:1,store-3:1 | [0, 1] | [] | [[a], [b]]",
      })
  void shouldAttributePodsByTheHostsOfEndpoints(
      String first, String second, String podsOfFirst, String podsOfSecond, String groups) {
    ArmPods pods =
        new ArmPods(
            List.of(new Arm("a", endpoints(first)), new Arm("b", endpoints(second))),
            endpoints("10.0.0.1:9,10.0.0.2:9,10.0.0.3:9,10.0.0.4:9"));
    List<Side> sides = List.of(new Side(0, "a"), new Side(1, "b"));
    assertEquals(podsOfFirst, pods.of(sides.subList(0, 1)).toString());
    assertEquals(podsOfSecond, pods.of(sides.subList(1, 2)).toString());
    assertEquals(groups, pods.separate(sides).toString());
    assertEquals("[[b]]", pods.separate(sides.subList(1, 2)).toString());
  }

  private static List<Endpoint> endpoints(String list) {
    List<Endpoint> endpoints = new ArrayList<>();
    Arrays.stream(list.split(",")).map(Endpoint::of).forEach(endpoints::add);
    return endpoints;
  }
}
