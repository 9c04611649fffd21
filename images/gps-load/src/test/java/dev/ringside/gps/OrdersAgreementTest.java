package dev.ringside.gps;

import dev.ringside.load.OrdersAgreement;

/** Bounded in time: operations would have to be whole packets. */
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
