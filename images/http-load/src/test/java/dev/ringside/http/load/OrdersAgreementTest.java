package dev.ringside.http.load;

import dev.ringside.load.OrdersAgreement;

class OrdersAgreementTest extends OrdersAgreement {
  OrdersAgreementTest() {
    super(Orders::of, "read");
  }
}
