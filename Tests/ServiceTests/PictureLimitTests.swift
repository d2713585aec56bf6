import Messages
import Raster
import Testing

struct PictureLimitTests {
    @Test func whatTheDecodersKeepToIsWhatTheTableSays() {
        #expect(PictureLimits.scansMax == Limits.pictureScansMax)
        #expect(PictureLimits.profileBytesMax == Limits.pictureProfileBytesMax)
    }
}
