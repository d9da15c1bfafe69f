import TaskFeed
import Testing
import TransportCore

struct TaskEventTests {
    private func read(_ json: String) throws -> TaskEvent {
        try TaskEvent(json: Array(json.utf8))
    }

    @Test func readsTheFourFormsOfTheWire() throws {
        let created = try read(
            #"{"type":"task_event","task_id":"738e422c","event":"created","task":{"description":"Compare","created_at":1756540000.25}}"#
        )
        #expect(created == .created("738e422c", description: "Compare", at: 1_756_540_000.25))
        let step = try read(
            #"{"type":"task_event","task_id":"738e422c","event":"step","role":"tool_call","content":"look"}"#
        )
        #expect(step == .step("738e422c", .toolCall, "look"))
        let completed = try read(
            #"{"type":"task_event","task_id":"738e422c","event":"completed","result":"done","completed_at":1756540100.5}"#
        )
        #expect(completed == .completed("738e422c", result: "done", at: 1_756_540_100.5))
        let failed = try read(#"{"type":"task_event","task_id":"738e422c","event":"failed","error":"no"}"#)
        #expect(failed == .failed("738e422c", error: "no"))
    }

    @Test func readsDescriptionAndTimeBesideTheTask() throws {
        let event = try read(#"{"task_id":"a","event":"created","description":"Compare","created_at":"12.5"}"#)
        #expect(event == .created("a", description: "Compare", at: 12.5))
    }

    @Test func readsANestedStep() throws {
        let event = try read(#"{"task_id":"a","event":"step","step":{"role":"thinking","content":"hm"}}"#)
        #expect(event == .step("a", .thinking, "hm"))
    }

    @Test(arguments: [
        ("1756540000.25", 1_756_540_000.25), (#""1756540000.25""#, 1_756_540_000.25), (#"" 17 ""#, 17),
        (#""1970-01-01T00:00:00Z""#, 0), (#""2025-08-30T07:46:40Z""#, 1_756_540_000),
        (#""2025-08-30T09:46:40.250+02:00""#, 1_756_540_000.25), (#""2025-08-30 07:46:40""#, 1_756_540_000),
        (#""20250830T074640Z""#, 1_756_540_000), (#""2024-02-29""#, 1_709_164_800), ("-1.5e3", -1_500),
        (#""1969-12-31T23:59:59-00:30""#, 1_799),
    ])
    func readsTimes(_ text: String, _ seconds: Double) throws {
        let event = try read(#"{"task_id":"a","event":"created","created_at":\#(text)}"#)
        #expect(event.createdAt == seconds)
    }

    @Test(arguments: [
        "1e999", #""nan""#, #""inf""#, #""0x10""#, #""yesterday""#, #""2025-13-01""#, #""2023-02-29""#,
        #""2025-08-30T25:00:00Z""#, #""2025-08-30T07:46:40Zulu""#, "true", "[]", "{}", "null", #""""#, #""-""#,
    ])
    func takesTimesThatCannotBeReadAsUnknown(_ text: String) throws {
        let event = try read(#"{"task_id":"a","event":"created","description":"b","created_at":\#(text)}"#)
        #expect(event == .created("a", description: "b"))
    }

    @Test(arguments: [
        (
            #"{ "z" : 1 , "a" : [ 12345678901234567890123 , 1.50 , "x y" ] }"#,
            #"{"z":1,"a":[12345678901234567890123,1.50,"x y"]}"#
        ),
        ("9007199254740993", "9007199254740993"), ("true", "true"), ("[ ]", "[]"), ("{\n}", "{}"),
        (#"["\u0041\"\\ "]"#, #"["\u0041\"\\ "]"#), ("[\"a\u{1}\u{1B} b\\\\\", 1 ]", #"["a\u0001\u001b b\\",1]"#),
    ])
    func keepsOtherJSONAsCompactText(_ json: String, _ compact: String) throws {
        #expect(try read(#"{"task_id":"a","event":"step","content":\#(json)}"#).content == compact)
        #expect(try read(#"{"task_id":"a","event":"completed","result":\#(json)}"#).result == compact)
        #expect(try read(#"{"task_id":"a","event":"failed","error":\#(json)}"#).error == compact)
    }

    @Test(arguments: [
        (#""\u00e9\ud83d\ude00""#, "é😀"), (#""\ud83d""#, "\u{FFFD}"), (#""\ud83dx""#, "\u{FFFD}x"),
        (#""\ude00\ud83d\n""#, "\u{FFFD}\u{FFFD}\n"),
        (#""a\/b\b\f\r\t\\\"c, and more""#, "a/b\u{8}\u{C}\r\t\\\"c, and more"),
        ("\"raw \u{1B}[31m\"", "raw \u{1B}[31m"), (#""\u0000""#, "\0"),
        (#""a longer text \"quoted\" é\u0041é!""#, "a longer text \"quoted\" éAé!"),
    ])
    func decodesStrings(_ json: String, _ text: String) throws {
        #expect(try read(#"{"task_id":"a","event":"step","content":\#(json)}"#).content == text)
    }

    @Test func replacesBytesThatAreNotUTF8() throws {
        var bytes = Array(#"{"task_id":"a","event":"step","content":"x"}"#.utf8)
        bytes[bytes.count - 3] = 0xFF
        #expect(try TaskEvent(json: bytes).content == "\u{FFFD}")
    }

    @Test func keepsUnknownEventsAndRolesAsText() throws {
        let progress = try read(#"{"type":"task_event","task_id":"a","event":"progress","percent": 40,"of":"it"}"#)
        #expect(progress.kind == .other("progress"))
        #expect(progress.content == #"{"percent":40,"of":"it"}"#)
        let step = try read(#"{"task_id":"a","event":"step","role":"critic","content":"hm"}"#)
        #expect(step.role == .other("critic"))
        var store = TaskStore()
        store.fold(progress)
        store.fold(step)
        #expect(store["a"]?.steps.map(\.role.name) == ["progress", "critic"])
    }

    @Test(arguments: ["canceled", "cancelled"])
    func readsBothSpellingsOfCanceled(_ name: String) throws {
        #expect(try read(#"{"task_id":"a","event":"\#(name)"}"#).kind == .canceled)
    }

    @Test func takesTheLastOfTwoEqualNames() throws {
        #expect(try read(#"{"task_id":"a","event":"step","content":"1","content":"2"}"#).content == "2")
    }

    @Test(arguments: [
        ("", "it is empty"), ("  ", "it is empty"), ("[1]", "not a JSON object"), ("12", "not a JSON object"),
        (#"{"task_id":"a""#, "in the middle of an object"), (#"{"task_id":"a"#, "in the middle of a string"),
        (#"{"task_id":"a","event":"step"} x"#, "something follows"), (#"{"task_id" "a"}"#, "a colon is missing"),
        (#"{"a":1,}"#, "a name in quotes is missing"), (#"{"a":[1,]}"#, "a value is missing or not JSON"),
        (#"{"a":01}"#, "a number is not JSON"), (#"{"a":1.}"#, "a number is not JSON"), (#"{"a":NaN}"#, "not JSON"),
        (#"{"a":"\q"}"#, "an escape in a string"), (#"{"a":"\u12g4"}"#, "an escape in a string"),
        (#"{"a":[1 2]}"#, "a comma is missing"), (#"{"a":[}"#, "not JSON"), (#"{"a":tru}"#, "not JSON"),
        (#"{"event":"step"}"#, #"no "task_id""#), (#"{"task_id":null,"event":"step"}"#, #"no "task_id""#),
        (#"{"task_id":"","event":"step"}"#, #"no "task_id""#), (#"{"task_id":"a"}"#, #"no "event""#),
    ])
    func saysWhyAMessageCannotBeRead(_ json: String, _ reason: String) {
        let error = #expect(throws: TaskEventError.self) { try read(json) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test func refusesAVeryLongID() {
        let id = String(repeating: "x", count: 1_025)
        #expect(throws: TaskEventError.idTooLong(bytes: 1_025)) { try read(#"{"task_id":"\#(id)","event":"step"}"#) }
    }

    @Test func standsDeepNesting() throws {
        let depth = 200_000
        let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(try read(#"{"task_id":"a","event":"completed","result":\#(nested)}"#).result == nested)
    }

    @Test func readsBackWhatItWrites() throws {
        for event in SampleTasks.events(now: 1_756_540_000) + variants {
            var expected = event
            expected.receivedAt = nil
            #expect(try TaskEvent(json: event.json) == expected)
        }
    }

    private var variants: [TaskEvent] {
        var numbered = TaskEvent.step("a", .other("x\u{1B}\u{7F}\u{9B}\u{202E}\"\\\n"), "")
        numbered.sequence = "12345678901234567890"
        numbered.eventID = "e1"
        var waiting = TaskEvent(taskID: "a", kind: .waiting)
        waiting.content = "Which one?"
        waiting.sequence = "7"
        return [numbered, waiting, TaskEvent(taskID: "é", kind: .canceled)]
    }

    @Test func writesTheWireFormInOneWay() {
        #expect(
            String(decoding: TaskEvent.created("a", description: "b", at: 2.5).json, as: UTF8.self)
                == #"{"type":"task_event","task_id":"a","event":"created","task":{"description":"b","created_at":2.5}}"#
        )
    }

    @Test func readsOnlyPacketsOfItsTopic() throws {
        let event = TaskEvent.step("a", .text, "hello")
        let packet = DataPacket(topic: "tasks", sender: "agent-1", payload: event.json)
        var expected = event
        expected.receivedAt = 5
        #expect(try TaskEvent(packet, receivedAt: 5) == expected)
        let other = DataPacket(topic: "media", sender: "agent-1", payload: [0xFF])
        #expect(try TaskEvent(other) == nil)
        var store = TaskStore()
        #expect(try store.fold(other, at: 0) == [])
        #expect(throws: TaskEventError.self) {
            try store.fold(DataPacket(topic: "tasks", sender: "agent-1", payload: [0x7B]), at: 0)
        }
        #expect(store == TaskStore())
        #expect(try store.fold(packet, at: 0).first == .added(id: "a"))
    }
}
