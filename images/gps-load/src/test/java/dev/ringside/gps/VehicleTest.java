package dev.ringside.gps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class VehicleTest {
  private static final int EDGE = Streets.BLOCK * Streets.BLOCKS_TO_EDGE;

  @Test
  void shouldStayOnTheStreetsOfTheCity() {
    for (int seed = 0; seed < 100; seed++) {
      Vehicle vehicle = new Vehicle(new SplittableRandom(seed));
      Set<Integer> streets = new HashSet<>();
      for (int i = 0; i < 3_000; i++) {
        vehicle.drive(1_000);
        int north = vehicle.latitude() - Streets.MIDDLE_LATITUDE;
        int east = vehicle.longitude() - Streets.MIDDLE_LONGITUDE;
        assertTrue(Math.abs(north) <= EDGE && Math.abs(east) <= EDGE, "it left the city");
        assertTrue(north % Streets.BLOCK == 0 || east % Streets.BLOCK == 0, "it left the street");
        streets.add(north / Streets.BLOCK);
      }
      assertTrue(streets.size() > 3, "it never turned");
    }
  }

  @Test
  void shouldDriveAtACitysSpeed() {
    for (int seed = 0; seed < 100; seed++) {
      Vehicle vehicle = new Vehicle(new SplittableRandom(seed));
      int before = vehicle.latitude() + vehicle.longitude();
      vehicle.drive(100);
      int metres = Math.abs(vehicle.latitude() + vehicle.longitude() - before) / 90;
      assertTrue(metres <= 2, () -> metres + " m in a tenth of a second");
    }
  }

  @Test
  void shouldDriveTheSameWayAgain() {
    Vehicle one = new Vehicle(new SplittableRandom(5));
    Vehicle other = new Vehicle(new SplittableRandom(5));
    for (int i = 0; i < 1_000; i++) {
      one.drive(1_000);
      other.drive(1_000);
      assertEquals(one.latitude(), other.latitude());
      assertEquals(one.longitude(), other.longitude());
    }
  }
}
