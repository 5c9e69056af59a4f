@main
enum Program {
    static func main() async {
        await ShellProgram.run(CommandLine.arguments)
    }
}
