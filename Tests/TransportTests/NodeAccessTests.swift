import Testing
import Transport

@Suite("Access to a node")
struct NodeAccessTests {
    @Test("a node is described with owner, group and mode")
    func described() throws {
        let access = try #require(NodeAccess.of("/dev/null"))
        #expect(access.owner == "root")
        #expect(access.group == "root")
        #expect(access.mode == 0o666)
        #expect(access.isReadable)
        #expect(access.isWritable)
    }

    @Test("a node that does not exist has no access")
    func absent() {
        #expect(NodeAccess.of("/dev/bus/usb/999/999") == nil)
    }

    @Test("nobody holds a node that does not exist")
    func holders() {
        #expect(NodeHolder.all(of: "/dev/bus/usb/999/999") == [])
    }
}
