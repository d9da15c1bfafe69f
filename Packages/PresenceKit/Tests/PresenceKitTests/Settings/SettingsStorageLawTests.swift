import PresenceConformance
import PresenceKit
import Synchronization
import Testing

struct SettingsStorageLawTests {
    @Test(arguments: SettingsStorageLaw.allCases)
    func memoryObeys(_ law: SettingsStorageLaw) throws {
        let storage = InMemorySettingsStorage()
        try law.check(
            SettingsStoragePlace(
                open: { storage },
                plant: { storage.plant($0) },
                setAside: { storage.setAside }
            )
        )
    }

    @Test(arguments: SettingsStorageLaw.allCases)
    func aStorageThatDoesNotCheatPasses(_ law: SettingsStorageLaw) throws {
        try law.check(Cheat.none.place)
    }

    /// Each promise is broken by at least one storage, and its law sees it.
    @Test(arguments: [
        (Cheat.greetsWithANotice, [SettingsStorageLaw.nothingStoredIsTheDefault]),
        (.forgets, [.readsBackWhatItSaved, .theLastSaveWins, .savesAfterUnreadableContents]),
        (.keepsToItself, [.readsBackWhatItSaved]),
        (.dropsAdditional, [.keepsAdditionalSettings]),
        (.firstSaveWins, [.theLastSaveWins]),
        (.mixesSaves, [.overlappingSavesLeaveOneWhole]),
        (.throwsUnreadableAway, [.unreadableContentsArePutAside, .earlierContentsStayAside]),
        (.saysNothing, [.unreadableContentsArePutAside, .oneWrongSettingLosesNoOther]),
        (.keepsOneAside, [.earlierContentsStayAside]),
        (.goesOnComplaining, [.savesAfterUnreadableContents]),
        (.losesAllForOne, [.oneWrongSettingLosesNoOther]),
    ])
    private func seesACheat(_ cheat: Cheat, _ laws: [SettingsStorageLaw]) {
        for law in laws {
            withKnownIssue("\(law) must see \(cheat)") { try law.check(cheat.place) }
        }
    }
}

/// Ways to break the promises of a settings storage.
private enum Cheat: Sendable {
    case none, greetsWithANotice, forgets, keepsToItself, dropsAdditional, firstSaveWins, mixesSaves,
        throwsUnreadableAway
    case saysNothing, keepsOneAside, goesOnComplaining, losesAllForOne

    var place: SettingsStoragePlace {
        let memory = Memory()
        return SettingsStoragePlace(
            open: { CheatingSettingsStorage(cheat: self, memory: self == .keepsToItself ? Memory() : memory) },
            plant: { bytes in memory.state.withLock { $0.contents = bytes } },
            setAside: { memory.state.withLock { $0.aside } }
        )
    }

    final class Memory: Sendable {
        struct State {
            var contents: [UInt8]?
            var aside: [[UInt8]] = []
            var hasComplained = false
        }
        let state = Mutex(State())
    }
}

private struct CheatingSettingsStorage: SettingsStorage {
    let cheat: Cheat
    let memory: Cheat.Memory

    func load() throws(PresenceStorageError) -> LoadedSettings {
        memory.state.withLock { state in
            var loaded = LoadedSettings(settings: Settings())
            if let contents = state.contents {
                let read = Settings.read(contents)
                if let read, read.unreadable.isEmpty || cheat != .losesAllForOne {
                    loaded = LoadedSettings(settings: read.settings, notices: read.unreadable.map { "\($0) is broken" })
                } else {
                    if cheat == .keepsOneAside { state.aside = [] }
                    if cheat != .throwsUnreadableAway { state.aside.append(contents) }
                    state.contents = nil
                    state.hasComplained = true
                    loaded.notices = ["unreadable"]
                }
            }
            if cheat == .dropsAdditional { loaded.settings.additional = [:] }
            if cheat == .saysNothing { loaded.notices = [] }
            if cheat == .greetsWithANotice { loaded.notices.append("Hello") }
            if cheat == .goesOnComplaining, state.hasComplained { loaded.notices = ["unreadable"] }
            return loaded
        }
    }

    func save(_ settings: Settings) {
        memory.state.withLock { state in
            if cheat == .forgets || (cheat == .firstSaveWins && state.contents != nil) { return }
            var settings = settings
            if cheat == .mixesSaves, let contents = state.contents, let read = Settings.read(contents) {
                settings.volume = read.settings.volume
            }
            state.contents = settings.json
        }
    }
}
