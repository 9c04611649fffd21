package dev.ringside.gps;

import dev.ringside.load.OrdersAgreement;

/** Uses a duration, because a number of operations must be a multiple of the packet size. */
class OrdersAgreementTest extends OrdersAgreement {
  OrdersAgreementTest() {
    super(
        environment ->
            Orders.of(
                name ->
                    switch (name) {
                      case "RINGSIDE_OPERATIONS" -> null;
                      case "RINGSIDE_DURATION_SECONDS" -> "10";
                      default -> environment.apply(name);
                    }),
        "point");
  }
}
