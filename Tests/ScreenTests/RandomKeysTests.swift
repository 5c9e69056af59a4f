import ListModel
import PairHarness
import Testing

@testable import Terminal

@Suite("The screen: any keys, any news, any size") struct RandomKeysTests {
    private static let keys: [Key] =
        [
            .enter, .escape, .tab, .backTab, .backspace, .delete, .up, .down, .left, .right, .home,
            .end, .pageUp, .pageDown, .altUp, .altDown, .wheelUp, .wheelDown, .other,
            .paste("two\nlines"), .click(2), .control("d"), .control("u"), .control("k"),
            .control("w"), .control("l"),
        ] + "jkgGdduUeEaavfnN/?HJKMRq xyrcmot1=é日".map { .text(String($0)) }

    @Test(arguments: 1...12) func `nothing breaks, and all have the same list`(
        seed: UInt64
    ) throws {
        let table = try Table((1...9).map { "r\($0)=Row \($0)" }, seed: seed)
        var random = Randomness(seed: seed)
        for _ in 0..<400 {
            table.ana.press(Self.keys.randomElement(using: &random) ?? .enter)
            if Int.random(in: 0..<4, using: &random) == 0 { meddle(table, &random) }
            if Int.random(in: 0..<3, using: &random) == 0 { try table.world.run(for: 30) }
            if Int.random(in: 0..<12, using: &random) == 0 { try table.pause(800) }
            endOutside(table, &random)
            let columns = [1, 19, 20, 33, 80].randomElement(using: &random) ?? 80
            let lines = [1, 4, 5, 9, 24].randomElement(using: &random) ?? 24
            let frame = table.ana.frame(columns, lines)
            #expect(FrameText.flaws(of: frame, columns, lines) == [])
        }
        table.world.server.start()
        try table.settle()
        try table.pause(20_000)
        try table.settle()
        let mine = table.ana.session?.rows.elements.map(\.fields)
        #expect(mine == table.bo.session?.rows.elements.map(\.fields))
    }

    private func meddle(_ table: Table, _ random: inout Randomness) {
        let id = "r\(Int.random(in: 0..<9, using: &random) + 1)"
        switch Int.random(in: 0..<8, using: &random) {
        case 0: table.bo.delete(id)
        case 1: table.bo.restore(id)
        case 2:
            table.bo.set(id, ["title": .text("Title \(Int.random(in: 0..<100, using: &random))")])
        case 3: table.bo.move(id, .first)
        case 4: table.bo.add("n\(random.next())", ["title": "New"], at: .first)
        case 5: table.bo.edit(id)
        case 6 where Int.random(in: 0..<5, using: &random) == 0: table.world.server.kill()
        default: table.world.server.start()
        }
    }

    private func endOutside(_ table: Table, _ random: inout Randomness) {
        for case .edit(let id, let text) in table.ana.takeWishes() {
            table.ana.node.perform { _, now in
                let typed = text.replacing("\n", with: "!\n", maxReplacements: 1)
                let outcomes: [OutsideEditor.Outcome] = [
                    .text(typed), .text(text), .text("?\n" + text), .noFile, .notText,
                    .notBegun("full"), .failed("ended with 1", wrote: true),
                ]
                let outcome = outcomes.randomElement(using: &random) ?? .noFile
                table.ana.session?.endOutside(id, outcome, file: "FILE", at: now)
            }
        }
    }
}
