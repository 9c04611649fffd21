package dev.ringside.cassandra;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * Finds the sizes of the pools and arrays that belong to an object: everything that its fields
 * refer to, through collections, but not through classes of the JDK.
 */
final class Sizes {
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Object> left = new ArrayDeque<>();
  private long largest;

  private Sizes() {}

  /** Returns the greatest number of threads of a pool, or of elements of an array. */
  static long largest(Object root) {
    Sizes sizes = new Sizes();
    sizes.reach(root);
    while (!sizes.left.isEmpty()) {
      sizes.look(sizes.left.poll());
    }
    return sizes.largest;
  }

  private void reach(Object object) {
    if (object != null && seen.add(object)) {
      left.add(object);
    }
  }

  private void look(Object object) {
    if (object instanceof ThreadPoolExecutor pool) {
      largest = Math.max(largest, pool.getMaximumPoolSize());
    } else if (object instanceof Collection<?> collection) {
      collection.forEach(this::reach);
    } else if (object instanceof Map<?, ?> map) {
      map.values().forEach(this::reach);
    } else if (object.getClass().isArray()) {
      largest = Math.max(largest, Array.getLength(object));
      if (object instanceof Object[] elements) {
        for (Object element : elements) {
          reach(element);
        }
      }
    }
    for (Class<?> type = object.getClass(); isOurs(type); type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        follow(object, field);
      }
    }
  }

  /**
   * Reports whether the fields of a class are searched. A subclass of a JDK class may have its own
   * fields; those of the JDK are not accessible.
   */
  private static boolean isOurs(Class<?> type) {
    return type != null && type.getClassLoader() != null && !type.getModule().isNamed();
  }

  private void follow(Object object, Field field) {
    if (Modifier.isStatic(field.getModifiers()) || field.getType().isPrimitive()) {
      return;
    }
    try {
      field.setAccessible(true);
      reach(field.get(object));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("cannot read " + field, e);
    }
  }
}
