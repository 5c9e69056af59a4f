/// What the verbs do; each stands beside those of its kind.
enum Verbs {}
