internal import HopeServer
internal import PresenceKit

/// A story that the demo tells: what the agent has been told to say, and what happens to the person.
enum DemoStory: String, CaseIterable, Sendable {
    /// A conversation with a barge-in, a researched request and music.
    case talk
    /// A conversation to which everything happens that can: interruption, lost signal, an agent that leaves.
    case rough
    /// Background tasks with every odd event.
    case tasks

    /// Something that happens to the person at a time, counted from the start.
    struct Deed: Sendable {
        enum Action: Sendable {
            case start
            case type(String)
            case textMode(Bool)
            /// Something else takes the audio, or gives it back.
            case interruption(Bool)
            /// The person's connection breaks, or comes back.
            case signal(Bool)
            case agentLeaves
            /// The person pauses what plays.
            case pauseMedia
            case hangUp
        }

        var time: Duration
        var action: Action

        init(at seconds: Double, _ action: Action) {
            time = .milliseconds(Int((seconds * 1000).rounded()))
            self.action = action
        }
    }

    var usage: String {
        switch self {
        case .talk: "talk: a barge-in, a researched request, and music"
        case .rough: "rough: interruption, lost signal, an agent that leaves"
        case .tasks: "tasks: background tasks with every odd event"
        }
    }

    /// Whether the agent has music to play.
    var hasMedia: Bool { self == .talk }

    /// What the agent does, counted from its readiness.
    var script: [ScriptedAgent.Cue] {
        switch self {
        case .talk, .rough: Self.conversation
        case .tasks: Self.oddTasks
        }
    }

    /// What happens to the person.
    var deeds: [Deed] {
        switch self {
        case .talk:
            [
                Deed(at: 0, .start), Deed(at: 21.8, .textMode(true)),
                Deed(at: 22.5, .type("Research the history of jazz")), Deed(at: 24.6, .type("Play Jazz Walk")),
                Deed(at: 30.2, .pauseMedia), Deed(at: 31, .hangUp),
            ]
        case .rough:
            [
                Deed(at: 0, .start), Deed(at: 5.5, .interruption(true)), Deed(at: 6.5, .interruption(false)),
                Deed(at: 11, .signal(false)),
                Deed(at: 12.4, .signal(true)), Deed(at: 16.5, .agentLeaves), Deed(at: 48, .hangUp),
            ]
        case .tasks:
            [Deed(at: 0, .start), Deed(at: 0.6, .textMode(true)), Deed(at: 13, .hangUp)]
        }
    }

    /// What the two recorded voices say, and when.
    private static let conversation: [ScriptedAgent.Cue] = [
        .init(at: .milliseconds(600), .say("Hello, I am Hope. What can I do for you?", over: .milliseconds(2600))),
        .init(at: .milliseconds(4600), .hear("Please tell me where jazz comes from.", over: .milliseconds(2000))),
        .init(at: .milliseconds(6900), .state(.thinking)),
        .init(
            at: .milliseconds(9000),
            .say(
                "Jazz was born in New Orleans, about nineteen hundred, where marching bands met the blues.",
                over: .milliseconds(5000)
            )
        ),
        .init(at: .milliseconds(13_300), .hear("Wait, who played it first?", over: .milliseconds(1500))),
        .init(at: .milliseconds(15_200), .state(.thinking)),
        .init(at: .milliseconds(18_200), .say("Louis Armstrong, on the cornet.", over: .milliseconds(1800))),
        .init(at: .milliseconds(20_500), .state(.listening)),
    ]

    /// A step before its task, a terminal event twice and against another, late steps, redelivery, waiting, cancelling,
    /// unknown words, broken and hostile text; one event every half second.
    private static let oddTasks: [ScriptedAgent.Cue] = [
        #"{"type":"task_event","task_id":"early","event":"step","role":"thinking","content":"Before its task was made."}"#,
        #"{"type":"task_event","task_id":"early","event":"created","task":{"description":"Made late","created_at":1756540001}}"#,
        #"{"type":"task_event","task_id":"early","event":"completed","result":"Done.","completed_at":"1756540002.5"}"#,
        #"{"type":"task_event","task_id":"early","event":"failed","error":"Too late to fail."}"#,
        #"{"type":"task_event","task_id":"early","event":"step","role":"text","content":"After the end."}"#,
        #"{"type":"task_event","task_id":"twice","event":"created","description":"Told twice","created_at":1756540003}"#,
        #"{"type":"task_event","task_id":"twice","event":"created","description":"Told twice","created_at":1756540003}"#,
        #"{"type":"task_event","task_id":"twice","event":"step","seq":1,"step":{"role":"tool_call","content":{"q":[1,2]}}}"#,
        #"{"type":"task_event","task_id":"twice","event":"step","seq":1,"step":{"role":"tool_call","content":{"q":[1,2]}}}"#,
        #"{"type":"task_event","task_id":"twice","event":"waiting"}"#,
        #"{"type":"task_event","task_id":"twice","event":"failed","error":"The person did not answer."}"#,
        #"{"type":"task_event","task_id":"twice","event":"completed","result":"Too late to succeed."}"#,
        #"{"type":"task_event","task_id":"dropped","event":"created","description":"Not wanted any more"}"#,
        #"{"type":"task_event","task_id":"dropped","event":"canceled"}"#,
        #"{"type":"task_event","task_id":"strange","event":"created","description":"Strange \u001b[31mwords\u001b[0m 👩‍🚀"}"#,
        #"{"type":"task_event","task_id":"strange","event":"paused","why":"a word that nobody knows"}"#,
        #"{"type":"task_event","task_id":"strange","event":"step","role":"guess","content":"A role that nobody knows."}"#,
        #"{"type":"task_event","task_id":"unknown","event":"completed","result":null}"#,
        #"{"type":"task_event","event":"step"}"#,
        #"this is no JSON"#,
    ].enumerated().map { index, payload in
        .init(at: .milliseconds(1000 + 500 * index), .publish(payload, topic: ConversationTopic.tasks))
    }
}
