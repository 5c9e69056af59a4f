internal import FoundationEssentials
internal import ListModel

/// Types whose own `Codable` says something that no other language would guess: they become text.
enum Plain {
    /// ISO 8601 in UTC with milliseconds; such texts sort by time.
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    private static let wholeSeconds = Date.ISO8601FormatStyle()

    /// `nil` where the type is none of them.
    static func read<Decoded: Decodable>(_ type: Decoded.Type, from decoder: FieldDecoder) throws
        -> Decoded?
    {
        if type == Date.self { return try date(decoder) as? Decoded }
        if type == Data.self { return try data(decoder) as? Decoded }
        if type == URL.self { return try url(decoder) as? Decoded }
        if type == Decimal.self { return try decimal(decoder) as? Decoded }
        if type == Value.self { return decoder.value as? Decoded }
        return nil
    }

    /// Such dates as the text has four digits for the year of, 0001 to 9999.
    private static let years = -62_135_596_800.0..<253_402_300_800.0

    /// `nil` where the value's type is none of them.
    static func write<Encoded: Encodable>(
        _ value: Encoded, at path: [any CodingKey]
    ) throws -> Value? {
        switch value {
        case let date as Date:
            guard years.contains(date.timeIntervalSince1970) else {
                throw EncodingError.invalidValue(
                    date,
                    EncodingError.Context(
                        codingPath: path,
                        debugDescription: "a date must lie in the years 1 to 9999"))
            }
            return .text(text(of: date))
        default: return text(of: value)
        }
    }

    private static func text<Encoded: Encodable>(of value: Encoded) -> Value? {
        switch value {
        case let data as Data: .text(data.base64EncodedString())
        case let url as URL: .text(url.absoluteString)
        case let decimal as Decimal: .text("\(decimal)")
        case let value as Value: value
        default: nil
        }
    }

    static func text(of date: Date) -> String {
        // Rounded to a millisecond, and a quarter of one on top, since the style cuts off what is
        // below: so a date that was read is written as it was.
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        return Date(timeIntervalSince1970: (milliseconds + 0.25) / 1_000).formatted(style)
    }

    private static func date(_ decoder: FieldDecoder) throws -> Date {
        switch decoder.value {
        case .text(let text):
            guard let date = (try? style.parse(text)) ?? (try? wholeSeconds.parse(text)) else {
                throw corrupt(decoder, "\"\(text)\" is no ISO 8601 date")
            }
            // The parser adds the milliseconds to the seconds, and comes out an ulp beside the date
            // that one would write.
            let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
            return Date(timeIntervalSince1970: milliseconds / 1_000)
        // What other programs write: seconds since 1970.
        case .int, .double: return Date(timeIntervalSince1970: try decoder.number())
        default: throw decoder.mismatch(Date.self)
        }
    }

    private static func data(_ decoder: FieldDecoder) throws -> Data {
        let text = try decoder.decode(String.self)
        guard let data = Data(base64Encoded: text) else {
            throw corrupt(decoder, "it is no base64 text")
        }
        return data
    }

    private static func url(_ decoder: FieldDecoder) throws -> URL {
        let text = try decoder.decode(String.self)
        guard let url = URL(string: text) else { throw corrupt(decoder, "\"\(text)\" is no URL") }
        return url
    }

    private static func decimal(_ decoder: FieldDecoder) throws -> Decimal {
        switch decoder.value {
        case .int(let int): return Decimal(int)
        case .double(let double): return Decimal(double)
        case .text(let text):
            // The parser alone would take "12 apples" for 12.
            guard text.utf8.allSatisfy(isDecimalByte), let decimal = Decimal(string: text) else {
                throw corrupt(decoder, "\"\(text)\" is no decimal number")
            }
            return decimal
        default: throw decoder.mismatch(Decimal.self)
        }
    }

    private static func isDecimalByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte)
    }

    private static func corrupt(_ decoder: FieldDecoder, _ why: String) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(codingPath: decoder.codingPath, debugDescription: why))
    }
}
