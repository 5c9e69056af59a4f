internal import ListModel
internal import PairHarness

/// What goes wrong.
extension Simulation {
    func fail(_ doing: Doing, _ player: Player, _ luck: inout Randomness) {
        switch doing {
        case .cut:
            note("\(player.name) is cut")
            player.node.cut(
                notice: Int64.random(in: 0...300, using: &luck),
                serverNotice: Int64.random(in: 0...2_000, using: &luck),
                losingSent: luck.happens(500))
        case .partition:
            let pause = Int64.random(in: 100...5_000, using: &luck)
            note("nothing gets through to \(player.name) for \(pause) ms")
            player.node.stalledUntil = world.now.adding(milliseconds: pause)
        case .crash:
            guard player.node.isRunning else { return start(player) }
            note("\(player.name) crashes")
            player.node.kill(losingSent: luck.happens(500))
        case .serverCrash:
            let pause = Int64.random(in: 0...400, using: &luck)
            note("the server crashes for \(pause) ms")
            world.server.kill()
            world.startServer(after: pause)
        case .backup:
            note("the list is backed up")
            backup = world.server.disk.backup(Self.list)
        case .restoreBackup: restoreBackup()
        case .diskFull, .slow, .clock: worsen(doing, &luck)
        case .stateFull:
            player.node.isDiskFull.toggle()
            let isFull = player.node.isDiskFull
            note("the disk of \(player.name) is \(isFull ? "full" : "free again")")
        case .copyState:
            note("the state of \(player.name) is copied aside")
            player.copyAside()
        case .setBack:
            guard player.hasCopy else { return }
            note("\(player.name) is set back to the copy of its state")
            player.node.kill(losingSent: luck.happens(500))
            player.setBack()
        default: break
        }
    }

    private func worsen(_ doing: Doing, _ luck: inout Randomness) {
        switch doing {
        case .diskFull:
            let isFull = world.conditions.failedAppends < 1_000
            note("the server's disk is \(isFull ? "full" : "free again")")
            world.conditions.failedAppends =
                isFull ? 1_000 : scenario.conditions.failedAppends
        case .slow:
            let isSlow = world.conditions.flush.upperBound < 2_000
            note("disks are \(isSlow ? "slow" : "fast again")")
            world.conditions.flush = isSlow ? 1...2_000 : scenario.conditions.flush
            world.conditions.save = isSlow ? 1...1_000 : scenario.conditions.save
        default:
            world.conditions.serverClock = Int64.random(in: -100_000...20_000, using: &luck)
            note("the server's clock is \(world.conditions.serverClock) ms off")
        }
    }

    private func restoreBackup() {
        guard let backup,
            world.server.disk.logs[Self.list]?.epoch.list == backup.epoch.list
        else { return }
        backups += 1
        note("the server is set back to \(backup.head)")
        world.server.kill()
        world.server.disk.restore(backup, as: Self.list, "backup\(backups)")
        truth.restore(
            backup.epoch, at: backup.head,
            as: Epoch(list: backup.epoch.list, log: "backup\(backups)"))
        world.startServer(after: 50)
    }
}
