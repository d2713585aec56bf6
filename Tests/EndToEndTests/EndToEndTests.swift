import Testing

/// Tests that start the built command. One at a time: they measure deadlines, and each has the
/// machine to itself.
@Suite(.serialized)
enum EndToEndTests {}
