package dev.ringside.ycsb;

import dev.ringside.load.OrdersAgreement;

class OrdersAgreementTest extends OrdersAgreement {
  OrdersAgreementTest() {
    super(Orders::of, "read");
  }
}
