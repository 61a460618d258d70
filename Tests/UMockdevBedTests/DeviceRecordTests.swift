import FirmwareCores
import Testing

@testable import UMockdevBed

@Suite struct DeviceRecordTests {
    private let record = DeviceRecord(
        address: DeviceAddress(port: "1-2", number: 7), descriptors: ReferenceCore(serialNumber: "R0002").descriptors)

    @Test(arguments: [
        ("idVendor", "1209"), ("idProduct", "0001"), ("bcdDevice", "0100"), ("manufacturer", "Mock Works"),
        ("product", "Card Reader"), ("serial", "R0002"), ("speed", "480"), ("busnum", "1"), ("devnum", "7"),
        ("devpath", "2"), ("bConfigurationValue", "1"), ("bNumInterfaces", " 1"), ("dev", "189:6"),
        ("version", " 2.00"), ("bMaxPower", "100mA"),
    ])
    func `attributes are written as the kernel writes them`(name: String, value: String) {
        #expect(record.attributes.first { $0.name == name }?.value == value)
    }

    @Test func `a device's properties`() {
        let properties = record.properties(devicePrefix: "/dev/").map { "\($0.key)=\($0.value)" }
        #expect(
            properties == [
                "MAJOR=189", "MINOR=6", "DEVNAME=/dev/bus/usb/001/007", "DEVTYPE=usb_device", "BUSNUM=001",
                "DEVNUM=007", "DRIVER=usb", "PRODUCT=1209/1/100", "TYPE=255/0/0",
            ])
    }

    @Test func `an interface's properties`() throws {
        let interface = try #require(record.interfaces.first)
        #expect(interface.endpoints == [0x02, 0x82, 0x83])
        let properties = record.properties(of: interface).map { "\($0.key)=\($0.value)" }
        #expect(
            properties == [
                "DEVTYPE=usb_interface", "PRODUCT=1209/1/100", "TYPE=255/0/0", "INTERFACE=255/0/0",
                "MODALIAS=usb:v1209p0001d0100dcFFdsc00dp00icFFisc00ip00in00",
            ])
    }

    @Test(arguments: [[], [9], [0, 4], [9, 4, 0], [2, 4, 9, 4, 0, 0, 1]] as [[UInt8]])
    func `malformed configurations have no interfaces`(configuration: [UInt8]) {
        #expect(InterfaceDescriptor.all(in: configuration).isEmpty)
    }

    @Test func `descriptors that sysfs could not show are refused`() {
        var descriptors = ReferenceCore().descriptors
        #expect(descriptors.complaint == nil)
        descriptors.configuration.append(0)
        #expect(descriptors.complaint == "wTotalLength is 39, not 40")
        descriptors.device.removeLast()
        #expect(descriptors.complaint == "the device descriptor has 17 bytes, not 18")
    }
}
