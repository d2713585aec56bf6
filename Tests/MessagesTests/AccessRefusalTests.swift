import Messages
import Testing

/// What is said where the owner of a store does not allow it.
struct AccessRefusalTests {
    @Test(arguments: [
        (
            StoreKind.calendar,
            "access to the account's calendars is denied; it has to be fullAccess"
        ),
        (
            .contacts,
            "access to the account's contacts is denied; it has to be limited or fullAccess"
        ),
        (
            .health,
            "access to the account's health readings is denied; it has to be unknown or fullAccess"
        ),
    ])
    func theTextSaysWhatSuffices(store: StoreKind, text: String) {
        #expect(AccessRefusal(store: store, access: .denied).text == text)
    }
}
