import Foundation
import Testing

/// In bash, zsh and fish themselves; a shell that is not installed is left out.
@Suite("Tab in real shells") struct CompletionTests {
    let samelist: SamelistProgram

    init() throws {
        samelist = try SamelistProgram()
        try samelist("new", "food")
        try samelist("add", "food", "Milk", "--id", "k7:a")
        try samelist("add", "food", "It's $5", "--id", "m'2$x")
        try samelist("add", "food", "Jam", "--id", "gone1")
        try samelist("rm", "food", "gone1")
        samelist.server.stop()
    }

    private static func isThere(_ shell: String) -> Bool {
        access("/usr/bin/" + shell, X_OK) == 0 || access("/bin/" + shell, X_OK) == 0
    }

    private static let prepare = [
        "bash": "eval \"$(samelist completion bash)\"",
        "zsh": "PS1='$ '; autoload -Uz compinit; compinit -u -D; "
            + "eval \"$(samelist completion zsh)\"",
        "fish": "function fish_prompt; echo '$ '; end; samelist completion fish | source",
    ]

    @Test(arguments: ["bash", "zsh", "fish"].filter(isThere))
    func `verbs, lists and rows, from what was seen and without a server`(shell: String) throws {
        let screen = try Screen(samelist)
        let start = ["bash": "bash --norc", "zsh": "zsh -f", "fish": "fish --no-config"]
        try screen.type("clear; exec \(start[shell] ?? shell)", "Enter")
        try screen.expect { text in ["$", "%", "#", ">"].contains { text.hasSuffix($0) } }
        try screen.type(Self.prepare[shell] ?? "", "Enter")
        try screen.type("clear; echo re''ady", "Enter")
        try screen.see("ready\n$")
        // Words that begin like no other are completed at once.
        try screen.type("samelist compl", "Tab")
        try screen.see("samelist completion")
        try screen.type("", "C-u")
        try screen.type("samelist set fo", "Tab")
        try screen.see("samelist set food")
        try screen.type("k", "Tab")
        try screen.expect { $0.contains("k7:a") || $0.contains("k7\\:a") }
        try screen.type("", "C-u")
        try screen.type("samelist rm food m", "Tab")
        try screen.see("samelist rm food m\\'2\\$x")
        try screen.type("", "C-u")
        try screen.type("samelist restore food ", "Tab")
        try screen.see("samelist restore food gone1")
        try screen.type("", "C-u")
        try screen.type("samelist ls food --so", "Tab")
        try screen.see("samelist ls food --sort")
    }

    @Test func `bash completes samelistd from its own table`() throws {
        let screen = try Screen(samelist)
        try screen.type("eval \"$(samelistd completion bash)\"; clear; echo re''ady", "Enter")
        try screen.see("ready\n$")
        try screen.type("samelistd exp", "Tab")
        try screen.expect { $0.contains("samelistd exp") }
        try screen.type("", "C-u")
        try screen.type("samelistd token create --rights wr", "Tab")
        try screen.see("samelistd token create --rights write")
    }

    @Test func `bash completes inside an open quote`() throws {
        let screen = try Screen(samelist)
        try screen.type("eval \"$(samelist completion bash)\"; clear; echo re''ady", "Enter")
        try screen.see("ready\n$")
        try screen.type("samelist set food 'k", "Tab")
        try screen.see("samelist set food 'k7:a'")
        try screen.type("", "C-u")
        try screen.type("samelist set food \"m", "Tab")
        try screen.see("samelist set food \"m'2\\$x\"")
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `the scripts have no fault that their shells find`(shell: String) throws {
        guard Self.isThere(shell) else { return }
        let flag = shell == "fish" ? "--no-execute" : "-n"
        let checked = try samelist.shell(
            "samelist completion \(shell) > script; \(shell) \(flag) script")
        #expect(checked.output == "")
        #expect(checked.status == 0)
    }

    @Test func `bash gets only what stands behind the last colon`() throws {
        let tried = try samelist.shell(
            """
            eval "$(samelist completion bash)"
            COMP_LINE='samelist rm food k7:' COMP_POINT=20
            _samelist samelist '' :
            printf '%s\\n' "${COMPREPLY[@]}"
            complete -p samelist
            """)
        #expect(tried.output == "a\ncomplete -F _samelist samelist\n")
    }

    @Test func `fish shows what a row is`() throws {
        guard Self.isThere("fish") else { return }
        let tried = try samelist.shell(
            "samelist completion fish > f; "
                + "fish --no-config -c 'source f; complete -C \"samelist rm food k\"'"
        )
        #expect(tried.output == "k7:a\tMilk\n")
    }

    @Test func `a list that was dropped is forgotten, one that was seen is known`() throws {
        #expect(try samelist("completion", "words", "--", "ls", "").output == "food\n")
        try samelist.server.start()
        try samelist("new", "fun")
        try samelist("lists")
        #expect(try samelist("completion", "words", "--", "ls", "").output == "food\nfun\n")
        try samelist("drop", "food", "-f")
        #expect(try samelist("completion", "words", "--", "ls", "").output == "fun\n")
        let other = try samelist("completion", "words", "--", "--as", "cy", "ls", "")
        #expect(other.output == "")
        #expect(try samelist("completion", "csh").status == 2)
    }
}
