import Foundation

/// A TCP connection that says nothing, or nothing that makes sense.
final class RawConnection {
    private let descriptor: Int32

    init?(port: Int, babbles: Bool) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard descriptor >= 0, result == 0 else {
            if descriptor >= 0 { Foundation.close(descriptor) }
            return nil
        }
        guard babbles else { return }
        let bytes = [UInt8](repeating: UInt8.random(in: 0...255), count: 100)
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    func close() { Foundation.close(descriptor) }
}

/// A library that answers SIGUSR1 with nothing, so that it interrupts system calls.
enum InterruptShim {
    struct NotBuilt: Error, CustomStringConvertible { let description: String }

    static func build() throws -> String {
        let source = NSTemporaryDirectory() + "sightline-interrupt-\(getpid()).c"
        let library = NSTemporaryDirectory() + "sightline-interrupt-\(getpid()).so"
        let text = """
            #include <signal.h>
            #include <string.h>
            static void nothing(int number) { (void)number; }
            __attribute__((constructor)) static void install(void) {
                struct sigaction action;
                memset(&action, 0, sizeof action);
                action.sa_handler = nothing;
                sigaction(SIGUSR1, &action, 0);
            }
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: source))
        let result = try Command.run(
            ["clang", "-O1", "-shared", "-fPIC", "-o", library, source],
            executable: "/usr/bin/env")
        guard result.status == 0 else { throw NotBuilt(description: result.errors) }
        return library
    }
}
