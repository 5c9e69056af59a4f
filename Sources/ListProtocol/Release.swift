/// What this software calls itself, here and nowhere else.
package enum Release {
    /// Its version, by semver.org.
    package static let version = "0.1.0"
    /// The version of the protocol that it speaks.
    package static let protocolVersion = 1
}
