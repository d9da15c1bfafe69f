/// The known word that a mistyped one most probably means; nil when none is near.
///
/// Near is a word that begins like it, or an optimal string alignment distance (insert, delete, replace, swap neighbours)
/// of at most a third of the word's length, and at least 1.
func nearestWord(to word: String, among known: [String]) -> String? {
    let typed = Array(word.lowercased())
    // Longer than any word there is, and the distance costs the product of both lengths.
    guard typed.count <= 64 else { return nil }
    let limit = max(1, typed.count / 3)
    if typed.count > 1, let longer = known.first(where: { $0.lowercased().starts(with: typed) }) { return longer }
    return
        known
        .map { (word: $0, distance: alignmentDistance(typed, Array($0.lowercased()))) }
        .filter { $0.distance <= limit }
        .min { $0.distance < $1.distance }?
        .word
}

private func alignmentDistance(_ a: [Character], _ b: [Character]) -> Int {
    var rows = [Array(0...b.count)]
    for i in a.indices {
        var row = [i + 1]
        for j in b.indices {
            var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                best = min(best, rows[i - 1][j - 1] + 1)
            }
            row.append(best)
        }
        rows.append(row)
    }
    return rows[a.count][b.count]
}
