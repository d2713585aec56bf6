import Service
import Testing

struct EndpointTests {
    @Test(arguments: [
        ("127.0.0.1", 5570, "127.0.0.1:5570"), (":6000", 5570, "127.0.0.1:6000"),
        ("tcp://localhost:7", 5570, "localhost:7"), ("[::1]:7", 1, "[::1]:7"),
    ])
    func formsAreRead(_ text: String, _ port: Int, _ expected: String) throws {
        #expect(try Endpoint(text, defaultPort: port).description == expected)
    }

    @Test(arguments: ["host:0", "host:65536", "host:x", "ipc:///tmp/x"])
    func otherTextIsRefused(_ text: String) {
        #expect(throws: ConfigurationError.self) { try Endpoint(text, defaultPort: 1) }
    }

    @Test func onlyLoopbackIsBoundWithoutTrust() throws {
        try Endpoint("127.0.0.1", defaultPort: 1).checkMayBind(
            hasKeys: false, trustingNetwork: false)
        try Endpoint("0.0.0.0", defaultPort: 1).checkMayBind(hasKeys: false, trustingNetwork: true)
        #expect(throws: ConfigurationError.self) {
            try Endpoint("0.0.0.0", defaultPort: 1).checkMayBind(
                hasKeys: false, trustingNetwork: false)
        }
    }
}
