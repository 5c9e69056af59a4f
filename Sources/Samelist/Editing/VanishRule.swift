/// What an editor does by itself once its element is gone.
public enum VanishRule: Sendable {
    /// It says so, and waits for what the user decides.
    case notify
    /// It says so and closes; what was typed is dropped.
    case dismiss
    /// It says so and closes, unless something was typed: then it waits for what the user decides.
    case keepDraft
}
