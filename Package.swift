// swift-tools-version: 6.2
import PackageDescription

// The arrows of ARCHITECTURE.md, enforced: a target imports only what its line here names.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// A Debian C library behind a two-file bridge: a module map and a shim header.
func bridge(_ name: String, _ pkgConfig: String, _ package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

func part(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let terminal: [Target.Dependency] = [
    "Samelist", "ListReplica", "ListProtocol", "ListModel", "ProgramArguments", "CLibedit",
    "CNcurses", "CUtf8proc",
]

/// A program that shows how the library is used.
func example(_ name: String, _ more: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: "\(name)Example", dependencies: ["Samelist", "Stage"] + more,
        path: "Examples/\(name)", exclude: ["expected.txt"], swiftSettings: strict)
}

let package = Package(
    name: "samelist",
    products: [
        .library(name: "Samelist", targets: ["Samelist"]),
        .library(name: "SamelistTesting", targets: ["SamelistTesting"]),
        .executable(name: "samelistd", targets: ["samelistd"]),
        .executable(name: "samelist", targets: ["Terminal"]),
        .executable(name: "samelist-load", targets: ["LoadTest"]),
        .executable(name: "samelist-limits", targets: ["LoadLimits"]),
    ],
    targets: [
        bridge("CLibwebsockets", "libwebsockets", "libwebsockets-dev"),
        bridge("CLibuv", "libuv", "libuv1-dev"),
        bridge("CSQLite", "sqlite3", "libsqlite3-dev"),
        bridge("CPopt", "popt", "libpopt-dev"),
        bridge("CLibsodium", "libsodium", "libsodium-dev"),
        bridge("CLibjwt", "libjwt", "libjwt-dev"),
        bridge("CSystemd", "libsystemd", "libsystemd-dev"),
        bridge("CLibedit", "libedit", "libedit-dev"),
        // Their pkg-config files carry flags that SwiftPM refuses; the module maps link them.
        .systemLibrary(name: "CUtf8proc", providers: [.apt(["libutf8proc-dev"])]),
        .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
        .systemLibrary(name: "CMalloc"),
        .target(name: "CSimdjson", linkerSettings: [.linkedLibrary("simdjson")]),

        // Pure: neither Foundation nor C, no clock, no randomness.
        part("ListModel"),
        part("ListProtocol", ["ListModel", "CSimdjson"]),
        part("ListAuthority", ["ListModel", "ListProtocol"]),
        part("ListReplica", ["ListModel", "ListProtocol"]),

        // Shells: disk, sockets, time.
        part("Threads"),
        part("Storage", ["CSQLite", "Threads"]),
        part("WebSockets", ["CLibwebsockets", "CLibuv", "Threads"]),
        part(
            "ListServer",
            [
                "ListModel", "ListProtocol", "ListAuthority", "Storage", "WebSockets", "Threads",
                "CLibsodium", "CLibjwt",
            ]),
        part(
            "Samelist",
            ["ListModel", "ListProtocol", "ListReplica", "Storage", "WebSockets", "Threads"]),

        // For the tests and previews of those who use the library: both shells in one process.
        part(
            "SamelistTesting",
            [
                "Samelist", "ListServer", "ListModel", "ListProtocol", "ListAuthority",
                "ListReplica", "Storage",
            ]),

        // Programs.
        part("ProgramArguments", ["CPopt"]),
        .executableTarget(
            name: "samelistd",
            dependencies: [
                "ListServer", "ListAuthority", "ListProtocol", "ListModel", "ProgramArguments",
                "Threads", "CMalloc", "CSystemd",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "Terminal", dependencies: terminal, path: "clients/terminal",
            swiftSettings: strict),

        .executableTarget(
            name: "LoadTest",
            dependencies: [
                "WebSockets", "ListProtocol", "ListModel", "Threads", "ProgramArguments",
            ],
            path: "clients/load", exclude: ["limits", "loadtest"], swiftSettings: strict),
        .executableTarget(
            name: "LoadLimits", path: "clients/load/limits",
            cSettings: [.treatAllWarnings(as: .error)]),

        .target(
            name: "Stage", dependencies: ["Samelist"], path: "Examples/Stage",
            swiftSettings: strict),
        example("Users"),
        example("Texts"),
        example("Todos"),
        example("Labels"),
        example("Row", ["SamelistTesting"]),

        .executableTarget(
            name: "ReadMe", dependencies: ["Samelist"], path: "Examples/ReadMe",
            swiftSettings: strict),

        .executableTarget(
            name: "CodecBenchmark", dependencies: ["ListProtocol", "ListModel"],
            path: "Benchmarks/Codec", swiftSettings: strict),
        .executableTarget(
            name: "DeliveryBenchmark",
            dependencies: ["ListAuthority", "ListProtocol", "ListModel"],
            path: "Benchmarks/Delivery", swiftSettings: strict),
        .executableTarget(
            name: "LibraryBenchmark", dependencies: ["ListReplica", "ListProtocol", "ListModel"],
            path: "Benchmarks/Library", swiftSettings: strict),

        tests("ListModelTests", ["ListModel"]),
        tests("ListProtocolTests", ["ListProtocol", "ListModel"]),
        tests("ListAuthorityTests", ["ListAuthority", "ListProtocol", "ListModel"]),
        tests(
            "ListReplicaTests",
            ["PairHarness", "ListReplica", "ListAuthority", "ListProtocol", "ListModel"]),
        tests("StorageTests", ["Storage", "Threads"]),
        tests("WebSocketsTests", ["WebSockets", "Threads"]),
        tests(
            "ListServerTests",
            [
                "ListServer", "ListAuthority", "ListProtocol", "ListModel", "Storage",
                "WebSockets", "Threads", "CLibjwt",
            ]),
        tests(
            "SamelistTests",
            [
                "Samelist", "SamelistTesting", "ReadMe", "ListServer", "ListReplica", "ListModel",
                "Storage",
            ]),
        tests("SamelistTestingTests", ["SamelistTesting", "Samelist", "ListReplica", "ListModel"]),
        .target(
            name: "PairHarness",
            dependencies: [
                "ListAuthority", "ListReplica", "ListProtocol", "ListModel", "Threads",
            ],
            path: "Tests/Harness", swiftSettings: strict),
        .target(
            name: "Simulation",
            dependencies: [
                "PairHarness", "ListAuthority", "ListReplica", "ListProtocol", "ListModel",
            ],
            path: "Tests/Simulation", swiftSettings: strict),
        .executableTarget(
            name: "Simulator", dependencies: ["Simulation"], path: "Tests/Simulator",
            swiftSettings: strict),
        tests("SimulationTests", ["Simulation"]),
        tests(
            "TranscriptTests",
            [
                "PairHarness", "ListAuthority", "Terminal", "ListReplica", "ListProtocol",
                "ListModel",
            ]),
        tests(
            "ExampleTests",
            [
                "UsersExample", "TextsExample", "TodosExample", "LabelsExample", "RowExample",
                "ListServer", "Storage",
            ]),
        tests(
            "EndToEndTests",
            ["samelistd", "Storage", "WebSockets", "Threads", "ListProtocol", "ListModel"]),
        tests(
            "TerminalTests",
            ["PairHarness", "Terminal", "ProgramArguments", "ListProtocol", "ListModel"]),
        .testTarget(
            name: "ScreenTests",
            dependencies: ["PairHarness", "Terminal", "ListReplica", "ListProtocol", "ListModel"],
            exclude: ["Goldens"], swiftSettings: strict),
        tests("ProgramTests", ["Terminal", "samelistd"]),
        tests(
            "LoadTestTests",
            [
                "LoadTest", "LoadLimits", "samelistd", "ProgramArguments", "ListProtocol",
                "ListModel", "Threads",
            ]),
        tests("TidyTests"),
    ],
    cxxLanguageStandard: .cxx17
)

// Fuzz targets link only with libFuzzer, so the normal build knows nothing of them; see
// Tests/Fuzzing/run.
if Context.environment["SAMELIST_FUZZ"] == "1" {
    // One program cannot be linked into another: the terminal client without its `main`.
    package.products.removeAll { $0.name == "samelist" }
    package.targets.removeAll { $0.name == "Terminal" || $0.isTest }
    package.targets.append(
        .target(
            name: "Terminal", dependencies: terminal, path: "clients/terminal",
            exclude: ["Program.swift"], swiftSettings: strict))
    package.targets.append(.systemLibrary(name: "CFuzzer", path: "Tests/Fuzzing/CFuzzer"))
    package.targets.append(
        .target(
            name: "FuzzShared", dependencies: ["CFuzzer", "ListProtocol", "ListModel"],
            path: "Tests/Fuzzing/Shared", swiftSettings: strict))
    // Apart, since libFuzzer looks through the counters of all that is linked, for each input.
    package.targets.append(
        .target(
            name: "FuzzCores",
            dependencies: [
                "PairHarness", "ListAuthority", "ListReplica", "ListProtocol", "ListModel",
            ],
            path: "Tests/Fuzzing/Cores", swiftSettings: strict))
    let targets: [String: [Target.Dependency]] = [
        "ClientMessage": ["ListProtocol"], "ServerMessage": ["ListProtocol"],
        "EntryRecord": ["ListProtocol"], "SnapshotRecord": ["ListProtocol"],
        "MutationRecord": ["ListProtocol"], "ExportLine": ["ListProtocol"],
        "ClientTalk": ["FuzzCores"],
        "ServerTalk": ["FuzzCores", "ListReplica", "ListProtocol", "ListModel"],
        "ClientState": ["FuzzCores"],
        "ShellLine": ["Terminal", "ListModel"], "ImportFile": ["Terminal", "ListModel"],
        "Addresses": ["Samelist", "ListModel"],
    ]
    for (name, dependencies) in targets {
        package.targets.append(
            .executableTarget(
                name: "Fuzz\(name)", dependencies: ["FuzzShared"] + dependencies,
                path: "Tests/Fuzzing/\(name)", swiftSettings: strict))
    }
}
