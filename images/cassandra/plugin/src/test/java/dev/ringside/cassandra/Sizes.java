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
 * How large the pools and arrays are that belong to an object: all that its fields lead to, through
 * collections, but not through the JDK's own classes.
 */
final class Sizes {
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Object> left = new ArrayDeque<>();
  private long largest;

  private Sizes() {}

  /** The most threads that any of its pools may have, or elements that any of its arrays has. */
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

  /** A subclass of the JDK's may have fields of its own; the JDK's are closed. */
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
