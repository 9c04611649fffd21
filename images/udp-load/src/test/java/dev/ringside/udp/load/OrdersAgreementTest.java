package dev.ringside.udp.load;

import dev.ringside.load.OrdersAgreement;

class OrdersAgreementTest extends OrdersAgreement {
  OrdersAgreementTest() {
    super(Orders::of, "echo");
  }
}
