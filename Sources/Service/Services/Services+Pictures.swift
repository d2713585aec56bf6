import Journal
import Matching
import Messages
import Queue
import Raster
import Search

extension Services {
    /// `print.make`: the print of a picture, and on demand its thumbnail and source copy.
    func makePrint(_ call: ServiceCall) throws -> JobOutput {
        let request = try PrintRequest(parsing: call.body)
        let source = try call.pictureSource(request.subject)
        // Decoded as a search decodes it, so that the same picture has the same pixels; the
        // larger source copy is made of a second decode.
        let working = try call.decode(
            source, region: request.region, maxSide: FeaturePrint.workingSide)
        let print = try call.featurePrint(of: working)
        let picture =
            try request.source
            ? call.decode(source, region: request.region, maxSide: Limits.sourceCopySide) : working
        var item: [String: JSONValue] = [
            "printVersion": .string(FeaturePrint.version),
            "features": .integer(print.featureCount), "enough": .bool(print.hasEnoughContent),
            "width": .integer(picture.width), "height": .integer(picture.height),
        ]
        var attachments: [(ContentHash, [UInt8])] = []
        func attach(_ name: String, _ bytes: [UInt8]) {
            let hash = ContentHash.of(bytes)
            item[name] = .string("\(hash)")
            if !attachments.contains(where: { $0.0 == hash }) { attachments.append((hash, bytes)) }
        }
        attach("print", print.encoded())
        if request.source { attach("picture", try picture.jpeg(quality: 90)) }
        if request.thumbnail {
            attach("thumbnail", try picture.scaled(maxSide: Limits.thumbnailSide).jpeg(quality: 80))
        }
        let json = JSONValue.object(item).canonical()
        let merged = MergeItem(
            sortKey: [0], unionKey: [0], json: json, attachments: attachments.map(\.0))
        return call.output([merged], attachments: attachments)
    }
}

extension ServiceCall {
    /// The attached bytes of the picture or pixels that a body names.
    func pictureSource(_ named: Messages.PictureSource) throws -> Raster.PictureSource {
        switch named {
        case .picture(let hash): return .encoded(try attachment(hash))
        case .pixels(let pixels):
            let bytes = try attachment(pixels.hash)
            if let video = pixels.video {
                return .video(bytes, VideoLayout(pixels, video))
            }
            return .pixels(
                bytes, layout: PixelLayout(pixels.layout), width: pixels.width,
                height: pixels.height, bytesPerRow: pixels.bytesPerRow)
        }
    }

    /// Upright pixels, cut to the region and scaled down.
    func decode(
        _ source: Raster.PictureSource, region: RegionDescription?, maxSide: Int
    ) throws -> Bitmap {
        try Picture.decode(
            source,
            region: region.map(PixelRegion.init),
            maxSide: maxSide, limits: .sightline, shouldStop: { stop.isStopped })
    }

    /// The print of pixels that are at the working size already.
    func featurePrint(of bitmap: Bitmap) throws -> FeaturePrint {
        let stop = stop
        return try FeaturePrint(of: bitmap.grayImage, shouldStop: { stop.isStopped })
    }
}

extension PixelRegion {
    /// The region that a body names.
    init(_ region: RegionDescription) {
        self.init(x: region.x, y: region.y, width: region.width, height: region.height)
    }
}

extension PixelLayout {
    fileprivate init(_ layout: PixelDescription.Layout) {
        switch layout {
        case .bgra: self = .bgra
        case .rgba: self = .rgba
        // NV12 is no layout of single pixels, and is read before.
        case .gray, .nv12: self = .gray
        }
    }
}

extension VideoLayout {
    fileprivate init(_ pixels: PixelDescription, _ video: VideoDescription) {
        self.init(
            width: pixels.width, height: pixels.height,
            range: video.range == .full ? .full : .video,
            matrix: video.matrix == .bt709 ? .bt709 : .bt601,
            luma: PixelPlane(offset: video.luma.offset, bytesPerRow: video.luma.bytesPerRow),
            chroma: PixelPlane(offset: video.chroma.offset, bytesPerRow: video.chroma.bytesPerRow))
    }
}
