import ListModel
import PairHarness
import Testing

@testable import ListReplica

@Suite("A reader is told the steps from the rows it saw to the rows that are") struct RowOrderTests
{
    private func list(_ ids: [ElementID], _ fields: [ElementID: Fields]) -> ListState {
        var list = ListState(head: .zero, title: "", schema: nil)
        for id in ids {
            _ = list.append(
                Element(
                    id: id, fields: fields[id] ?? Fields(), version: .zero, placed: .zero,
                    by: "ana", at: .zero))
        }
        return list
    }

    private func applied(_ changes: [RowOrder.Change], to rows: [Element]) -> [Element] {
        var rows = rows
        for change in changes {
            switch change {
            case .insert(let element, let at): rows.insert(element, at: at)
            case .remove(let element, let at): #expect(rows.remove(at: at) == element)
            case .move(let element, let from, let to):
                #expect(rows.remove(at: from).id == element.id && from != to)
                rows.insert(element, at: to)
            case .update(let element, let was, let at):
                #expect(rows[at].id == element.id && was.fields != element.fields)
                rows[at] = element
            }
        }
        return rows
    }

    @Test(arguments: 0..<20) func `after any changes, whoever says what was touched, or nobody`(
        _ seed: Int
    ) {
        var random = Randomness(seed: UInt64(seed + 1))
        var ids: [ElementID] = []
        var fields: [ElementID: Fields] = [:]
        var order = RowOrder(RowOrder.Rows(ListState()))
        var shown: [Element] = []
        for round in 0..<60 {
            var touched: Set<ElementID> = []
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                let known = ids.randomElement(using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    guard let id = ElementID("e\(Int.random(in: 0..<40, using: &random))"),
                        !ids.contains(id)
                    else { continue }
                    ids.insert(id, at: Int.random(in: 0...ids.count, using: &random))
                    touched.insert(id)
                case 1:
                    guard let known else { continue }
                    ids.removeAll { $0 == known }
                    touched.insert(known)
                case 2:
                    guard let known else { continue }
                    ids.removeAll { $0 == known }
                    ids.insert(known, at: Int.random(in: 0...ids.count, using: &random))
                    touched.insert(known)
                default:
                    guard let known else { continue }
                    fields[known] = ["n": .int(Int64(round))]
                    touched.insert(known)
                }
            }
            let rows = RowOrder.Rows(list(ids, fields))
            let steps = order.follow(rows, touched: seed.isMultiple(of: 2) ? touched : nil)
            shown = applied(steps, to: shown)
            #expect(shown.map(\.id) == ids && order.count == ids.count)
            #expect(shown.allSatisfy { $0.fields == fields[$0.id] ?? Fields() })
            #expect(order.follow(rows, touched: nil).isEmpty, "nothing is told twice")
        }
    }

    @Test func `where nobody says what changed, one moved row is one move`() {
        let ids = (0..<100).compactMap { ElementID("e\($0)") }
        var order = RowOrder(RowOrder.Rows(list(ids, [:])))
        var moved = ids
        moved.insert(moved.remove(at: 70), at: 3)
        let steps = order.follow(RowOrder.Rows(list(moved, [:])), touched: nil)
        #expect(steps.count == 1)
        guard case .move(let element, from: 70, to: 3) = steps.first else {
            Issue.record("\(steps)")
            return
        }
        #expect(element.id == ids[70])
    }

    @Test func `the longest rise`() {
        #expect(RowOrder.longestRise([]).isEmpty)
        #expect(RowOrder.longestRise([3, 1, 2]) == [1, 2])
        #expect(RowOrder.longestRise([5, 0, 1, 9, 2, 3]) == [1, 2, 4, 5])
    }
}
