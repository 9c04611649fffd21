package dev.ringside.cassandra.load;

import dev.ringside.load.OrdersAgreement;

class OrdersAgreementTest extends OrdersAgreement {
  OrdersAgreementTest() {
    super(Orders::of, "read");
  }
}
