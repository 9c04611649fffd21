package dev.ringside.cql.load;

import com.datastax.oss.driver.api.core.CqlSession;
import dev.ringside.cql.load.profile.PreparedProfile;
import dev.ringside.cql.load.profile.ProfileException;
import dev.ringside.cql.load.profile.UserProfile;
import dev.ringside.load.OrdersException;
import java.util.List;
import java.util.function.Function;

/** The table and the operations of a user profile. */
final class ProfileWorkload implements Workload {
  private final Orders orders;
  private final UserProfile profile;

  ProfileWorkload(Orders orders) {
    this.orders = orders;
    profile = orders.user().profile();
  }

  @Override
  public String keyspace() {
    return profile.keyspace();
  }

  @Override
  public String table() {
    return profile.table();
  }

  @Override
  public boolean needsTable() {
    return !orders.user().ops().containsKey(UserProfile.INSERT);
  }

  @Override
  public List<String> statements() {
    return profile.statements(orders.replicationFactor());
  }

  @Override
  public Function<RowChoice, Task> prepare(CqlSession session) {
    try {
      PreparedProfile prepared = profile.prepare(session, orders.user().ops().keySet());
      return choice -> new ProfileTask(prepared, orders.user(), choice);
    } catch (ProfileException e) {
      throw new OrdersException(UserOrders.PROFILE + " " + e.getMessage());
    }
  }
}
