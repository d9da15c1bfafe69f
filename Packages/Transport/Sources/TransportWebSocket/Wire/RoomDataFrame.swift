import TransportCore
import TransportHTTP

/// The binary form of data packets.
enum RoomDataFrame {
    static let kind: UInt8 = 1
    static let reliableFlag: UInt8 = 1

    /// What a client publishes.
    struct Publication: Hashable, Sendable {
        /// 0 for a lossy packet that wants no answer.
        var request: UInt64
        var topic: String
        var receivers: [String]
        var payload: [UInt8]
        var reliability: Reliability
    }

    // MARK: From the client

    static func encode(_ publication: Publication) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64 + publication.topic.utf8.count + publication.payload.count)
        bytes.append(kind)
        bytes.append(publication.reliability == .reliable ? reliableFlag : 0)
        append(publication.topic.utf8.count, size: 2, to: &bytes)
        append(publication.receivers.count, size: 2, to: &bytes)
        append(Int(truncatingIfNeeded: publication.request), size: 8, to: &bytes)
        bytes += publication.topic.utf8
        for receiver in publication.receivers {
            append(receiver.utf8.count, size: 2, to: &bytes)
            bytes += receiver.utf8
        }
        bytes += publication.payload
        return bytes
    }

    static func decodePublication(_ bytes: [UInt8]) throws(RoomProtocolError) -> Publication {
        var reader = try Reader(bytes)
        let topicCount = try reader.number(size: 2)
        let receiverCount = try reader.number(size: 2)
        let request = try reader.number(size: 8)
        guard receiverCount <= RoomProtocol.maximumReceivers else {
            throw RoomProtocolError("A data packet names more than \(RoomProtocol.maximumReceivers) receivers.")
        }
        let topic = try reader.name(topicCount)
        var receivers: [String] = []
        for _ in 0..<receiverCount { receivers.append(try reader.name(try reader.number(size: 2))) }
        guard request > 0 || !reader.isReliable else {
            throw RoomProtocolError("A reliable data packet has no number.")
        }
        return Publication(
            request: request,
            topic: topic,
            receivers: receivers,
            payload: reader.rest,
            reliability: reader.isReliable ? .reliable : .lossy
        )
    }

    // MARK: From the server

    /// A whole frame of a packet, the same for every receiver.
    static func serverFrame(_ packet: DataPacket) -> [UInt8] {
        let size = 6 + packet.topic.utf8.count + packet.sender.utf8.count + packet.payload.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + 10)
        bytes += WebSocketFrameHeader(.binary, length: size).bytes
        bytes.append(kind)
        bytes.append(packet.reliability == .reliable ? reliableFlag : 0)
        append(packet.topic.utf8.count, size: 2, to: &bytes)
        append(packet.sender.utf8.count, size: 2, to: &bytes)
        bytes += packet.topic.utf8
        bytes += packet.sender.utf8
        bytes += packet.payload
        return bytes
    }

    static func decodePacket(_ bytes: [UInt8]) throws(RoomProtocolError) -> DataPacket {
        var reader = try Reader(bytes)
        let topicCount = try reader.number(size: 2)
        let senderCount = try reader.number(size: 2)
        let topic = try reader.name(topicCount)
        let sender = try reader.name(senderCount)
        return DataPacket(
            topic: topic,
            sender: sender,
            payload: reader.rest,
            reliability: reader.isReliable ? .reliable : .lossy
        )
    }

    // MARK: Bytes

    private static func append(_ value: Int, size: Int, to bytes: inout [UInt8]) {
        for index in (0..<size).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> (index * 8))) }
    }

    private struct Reader {
        let bytes: [UInt8]
        let isReliable: Bool
        var position = 2

        init(_ bytes: [UInt8]) throws(RoomProtocolError) {
            guard bytes.count >= 2, bytes[0] == kind, bytes[1] & ~reliableFlag == 0 else {
                throw RoomProtocolError("A binary message is no data packet.")
            }
            self.bytes = bytes
            isReliable = bytes[1] & reliableFlag != 0
        }

        mutating func take(_ count: Int) throws(RoomProtocolError) -> ArraySlice<UInt8> {
            guard count <= bytes.count - position else { throw RoomProtocolError("A data packet ends too early.") }
            defer { position += count }
            return bytes[position..<position + count]
        }

        mutating func number(size: Int) throws(RoomProtocolError) -> UInt64 {
            try take(size).reduce(0) { $0 << 8 | UInt64($1) }
        }

        mutating func name(_ count: UInt64) throws(RoomProtocolError) -> String {
            guard count <= RoomProtocol.maximumNameBytes else {
                throw RoomProtocolError("A name is longer than \(RoomProtocol.maximumNameBytes) bytes.")
            }
            guard let name = String(validating: try take(Int(count)), as: UTF8.self) else {
                throw RoomProtocolError("A name is not UTF-8.")
            }
            return name
        }

        var rest: [UInt8] { Array(bytes[position...]) }
    }
}
