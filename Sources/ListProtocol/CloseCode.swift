/// Why a connection was closed. The range of the code tells the client what to do, also for codes
/// that it does not know (as in centrifugal/centrifuge): 4000-4099 come back at once, 4100-4199
/// come back later with back-off, 4200-4299 come back and fetch everything anew, 4300-4999 do not
/// come back. Of the standard codes (RFC 6455, section 7.4.1), 1001 and 1006 mean later; 1002,
/// 1003, 1007-1009 stop.
package enum CloseCode: UInt16, Sendable, CaseIterable {
    case goingAway = 1001
    case unsupportedData = 1003
    case badText = 1007
    case policy = 1008
    case messageTooBig = 1009
    /// The client took what it was sent too slowly; its messages were put off, none was lost.
    case tooSlow = 4100
    case tooManyRequests = 4101
    case tooManyConnections = 4102
    /// The first message did not come in time.
    case helloLate = 4103
    case outOfStep = 4200
    case helloExpected = 4300
    case unsupportedVersion = 4301
    case notAllowed = 4302
    /// The same client opened another connection, which took the place of this one.
    case replaced = 4303
    /// The token is none that holds, or no longer: come back with another.
    case notAuthenticated = 4304

    /// What a client is told that was `replaced`.
    package static let replacedSentence = "this client connected again"

    package enum Advice: Sendable {
        case retryAtOnce
        case retryLater
        case resync
        case stop
    }

    /// What a client does after a close with `code`, known or not.
    package static func advice(for code: UInt16) -> Advice {
        switch code {
        case 4000..<4100: .retryAtOnce
        case 4100..<4200: .retryLater
        case 4200..<4300: .resync
        case 4300..<5000, 1002, 1003, 1007, 1008, 1009, 1010: .stop
        default: .retryLater
        }
    }
}
