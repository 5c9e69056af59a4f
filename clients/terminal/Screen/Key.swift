/// What a person pressed, whatever the terminal sends for it.
enum Key: Hashable, Sendable {
    /// Typed text: a character or more.
    case text(String)
    case enter
    case escape
    case tab
    case backTab
    case backspace
    case delete
    case up
    case down
    case left
    case right
    case home
    case end
    case pageUp
    case pageDown
    case altUp
    case altDown
    /// With its letter.
    case control(Character)
    /// Text that was pasted as a whole: never commands.
    case paste(String)
    /// The line of the screen that was clicked.
    case click(Int)
    case wheelUp
    case wheelDown
    /// One without a meaning here.
    case other
}
