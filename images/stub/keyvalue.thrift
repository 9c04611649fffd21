// The stub's service, modelled on MapKeeper: an ordered map of binary keys. This file defines the wire format. The codec is written
// by hand, because no available compiler generates code for libthrift 0.9.2 of the servers under test (0.17 needs classes of 0.10 and
// newer), and generated code would be four times as long.
namespace java dev.ringside.stub

enum Status {
  OK = 0,
  NOT_FOUND = 1,
  EXISTS = 2
}

struct Value {
  1: required Status status
  2: optional binary value
}

struct Record {
  1: required binary key
  2: required binary value
}

service KeyValue {
  // Answers without the handler's delay: for probes.
  void ping()
  Value get(1: binary key)
  // At most limit records in the order of their keys, from the first key that is not below start.
  list<Record> scan(1: binary start, 2: i32 limit)
  // Inserts or replaces.
  Status put(1: binary key, 2: binary value)
  // EXISTS if the key is there.
  Status insert(1: binary key, 2: binary value)
  // NOT_FOUND if the key is not there.
  Status update(1: binary key, 2: binary value)
  // "delete" is a word that Thrift reserves.
  Status remove(1: binary key)
}
