package dev.ringside.cql.load;

import dev.ringside.cql.load.profile.PreparedProfile;
import dev.ringside.cql.load.profile.UserProfile;
import dev.ringside.load.Outcome;
import java.util.HashMap;
import java.util.Map;

/** Operations of a user profile, each drawn by its share. */
final class ProfileTask implements Task {
  private final PreparedProfile profile;
  private final Map<String, Integer> ops;
  private final int sum;
  private final RowChoice choice;
  private final Map<String, Outcome> outcomes = new HashMap<>();
  private final Map<String, Outcome> empties = new HashMap<>();

  ProfileTask(PreparedProfile profile, UserOrders orders, RowChoice choice) {
    this.profile = profile;
    ops = orders.ops();
    sum = ops.values().stream().mapToInt(Integer::intValue).sum();
    this.choice = choice;
    for (String name : ops.keySet()) {
      String outcome = UserOrders.outcome(name);
      outcomes.put(name, Outcome.answered(outcome));
      empties.put(name, Outcome.answered(outcome + UserOrders.EMPTY));
    }
  }

  @Override
  public Outcome run(long number) {
    String op = draw();
    if (op.equals(UserProfile.INSERT)) {
      long[] partitions = new long[profile.drawPartitions(choice.random())];
      for (int i = 0; i < partitions.length; i++) {
        partitions[i] = choice.inOrder(number * profile.partitionsPerInsert() + i);
      }
      profile.insert(partitions, choice.random());
      return outcomes.get(op);
    }
    int rows = profile.query(op, choice.drawn(number), choice.random());
    return (rows > 0 ? outcomes : empties).get(op);
  }

  private String draw() {
    int drawn = ops.size() == 1 ? 0 : choice.random().nextInt(sum);
    for (Map.Entry<String, Integer> op : ops.entrySet()) {
      drawn -= op.getValue();
      if (drawn < 0) {
        return op.getKey();
      }
    }
    throw new IllegalStateException("the shares sum up to more than their sum");
  }
}
