internal import ListModel
internal import ProgramArguments
internal import Samelist

extension ConfigFile {
    /// What is wrong with a value, in a sentence.
    static func fault(of entry: Entry) -> String? {
        switch entry.key {
        case .server where ServerAddress(entry.value) == nil:
            Settings.noServer(entry.value)
        case .name where UserName(entry.value) == nil:
            Settings.noName(entry.value)
        case .timeout where Settings.milliseconds(entry.value) == nil:
            "timeout takes seconds, such as 10 or 0.5, not \(masked(entry.value))."
        case .tokenFile where entry.value.isEmpty || entry.value == "-":
            "token-file names a file that holds your token."
        case .server, .name, .tokenFile, .caFile, .timeout, .context: nil
        }
    }
}
