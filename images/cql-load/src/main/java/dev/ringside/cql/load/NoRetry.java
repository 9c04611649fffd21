package dev.ringside.cql.load;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.retry.RetryDecision;
import com.datastax.oss.driver.api.core.retry.RetryPolicy;
import com.datastax.oss.driver.api.core.servererrors.CoordinatorException;
import com.datastax.oss.driver.api.core.servererrors.WriteType;
import com.datastax.oss.driver.api.core.session.Request;

/** Reports every failure of an operation, because no load tries an operation twice. */
public final class NoRetry implements RetryPolicy {
  /** The driver calls this. */
  public NoRetry(DriverContext context, String profile) {}

  @Override
  @Deprecated
  public RetryDecision onReadTimeout(
      Request request,
      ConsistencyLevel level,
      int blockFor,
      int received,
      boolean dataPresent,
      int retries) {
    return RetryDecision.RETHROW;
  }

  @Override
  @Deprecated
  public RetryDecision onWriteTimeout(
      Request request,
      ConsistencyLevel level,
      WriteType type,
      int blockFor,
      int received,
      int retries) {
    return RetryDecision.RETHROW;
  }

  @Override
  @Deprecated
  public RetryDecision onUnavailable(
      Request request, ConsistencyLevel level, int required, int alive, int retries) {
    return RetryDecision.RETHROW;
  }

  @Override
  @Deprecated
  public RetryDecision onRequestAborted(Request request, Throwable error, int retries) {
    return RetryDecision.RETHROW;
  }

  @Override
  @Deprecated
  public RetryDecision onErrorResponse(Request request, CoordinatorException error, int retries) {
    return RetryDecision.RETHROW;
  }

  @Override
  public void close() {
    // nothing is open
  }
}
