package dev.ringside.cql.load;

import dev.ringside.load.OrdersAgreement;

class OrdersAgreementTest extends OrdersAgreement {
  OrdersAgreementTest() {
    super(Orders::of, "write");
  }
}
