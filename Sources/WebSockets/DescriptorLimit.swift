import Glibc

/// Raises the number of files that this process may open, or sets it, too, where it is higher.
func setDescriptorLimit(to wanted: UInt, mayLower: Bool) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    let target = min(limit.rlim_max, rlim_t(wanted))
    guard limit.rlim_cur < target || mayLower else { return }
    limit.rlim_cur = target
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

/// How many files this process may open.
func descriptorLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
    return Int(clamping: limit.rlim_cur)
}
