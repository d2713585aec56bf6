/// Every limit of the system, in one place, with the relations between them.
///
/// `sightline limits` prints `Limits.table`; the README repeats it.
public enum Limits {
    // MARK: Wire

    /// Bytes of one frame; libzmq drops a larger one and its connection (ZMQ_MAXMSGSIZE).
    public static let frameBytesMax = 32 << 20
    /// Bytes of one message, all frames together.
    public static let messageBytesMax = 64 << 20
    /// Frames of one message.
    public static let framesMax = 256
    /// Fields of one message or record.
    public static let fieldsMax = 1_024
    /// Bytes of a name or other text in a field.
    public static let nameBytesMax = 1_024
    /// Characters of an error's text; within `nameBytesMax` at 4 bytes a character.
    public static let errorTextCharactersMax = 255
    /// Bytes of a request or change body.
    public static let bodyBytesMax = 1 << 20
    /// Levels of nesting in JSON.
    public static let jsonDepthMax = 32

    // MARK: Keys

    /// Public keys that a server lets in.
    public static let allowedKeysMax = 10_000
    /// Bytes of the name of a key.
    public static let keyNameBytesMax = 64
    /// Bytes of a file with a key.
    public static let keyFileBytesMax = 4_096
    /// Refused peers that a server tells of, each once; further ones are counted.
    public static let refusalsToldMax = 1_000
    /// Milliseconds after which it may tell of others.
    public static let refusalsToldMilliseconds: UInt32 = 60_000

    // MARK: Requests

    /// Milliseconds of a request's budget, at least.
    public static let budgetMillisecondsMin: UInt32 = 1
    /// Milliseconds of a request's budget, at most.
    public static let budgetMillisecondsMax: UInt32 = 600_000
    /// Milliseconds behind its deadline that a client still waits for a reply on its way.
    public static let replyGraceMilliseconds: UInt32 = 100
    /// Results of one reply or of one part.
    public static let resultsMax = 10_000
    /// Slots over which the entities of a catalog are spread.
    public static let catalogSlots = 64
    /// Results of a request that states no limit.
    public static let resultsDefault = 10
    /// Requests in flight of one client.
    public static let inFlightPerClientMax = 256
    /// Requests in flight in one router.
    public static let inFlightMax = 4_096
    /// Bytes of all requests in flight in one router.
    public static let inFlightBytesMax = 512 << 20
    /// Requests that wait for one part of a service.
    public static let waitingPerPartMax = 1_024
    /// Requests just answered whose ids a router remembers, to drop duplicates.
    public static let finishedRequestsMax = 8_192
    /// Milliseconds before the deadline at which a router replies, at most half the budget, until
    /// it has measured how late it is.
    public static let replyMarginMilliseconds: UInt32 = 5
    /// Milliseconds that this margin grows to where a router is late.
    public static let replyMarginMillisecondsMax: UInt32 = 50
    /// Milliseconds that a request may wait before a queue counts as standing, or a quarter of its
    /// budget if that is more.
    public static let queueDelayTargetMilliseconds: UInt32 = 100
    /// Milliseconds for which a queue stands before requests are shed.
    public static let queueDelayIntervalMilliseconds: UInt32 = 500
    /// Turns of a fairness key where others have one, at most.
    public static let fairnessWeightMax: UInt32 = 100
    /// Second attempts beside the first for 1,000 requests.
    public static let hedgesPerThousand: UInt32 = 50
    /// Second attempts that may be saved up for a part of a service.
    public static let hedgesSavedMax: UInt32 = 10
    /// Milliseconds of work that a worker takes beyond what it runs.
    public static let prefetchMilliseconds: UInt32 = 4
    /// Requests that one router has put aside because workers died under them.
    public static let deadRequestsMax = 100
    /// Bytes of all requests that one router has put aside.
    public static let deadBytesMax = 64 << 20
    /// Detached requests that one router holds: waiting, running, or with a result that is kept.
    public static let jobsMax = 1_000
    /// Detached requests of one client, or of one fairness key, that a router holds.
    public static let jobsPerClientMax = 100
    /// Bytes of all detached requests that wait or run in one router.
    public static let jobRequestBytesMax = 64 << 20
    /// Bytes of the result of one detached request.
    public static let jobResultBytesMax = 8 << 20
    /// Bytes of all results of detached requests that one router keeps.
    public static let jobResultsBytesMax = 128 << 20
    /// Milliseconds that a detached request may wait for room.
    public static let jobWaitMilliseconds: UInt64 = 86_400_000
    /// Milliseconds that the result of a detached request is kept.
    public static let jobKeptMilliseconds: UInt64 = 3_600_000
    /// Times that a detached request is computed whose answer was incomplete or too late.
    public static let jobTriesMax = 3
    /// Services that one router counts on their own.
    public static let countedServicesMax = 64
    /// Milliseconds after which a refused client may try again.
    public static let retryAfterMilliseconds: UInt32 = 100
    /// Milliseconds that a change may take if its producer states none.
    public static let changeBudgetMilliseconds: UInt32 = 10_000
    /// Attempts of one request at workers; a second death ends it.
    public static let attemptsMax = 2
    /// Credit of one worker.
    public static let creditMax: UInt32 = 1_024
    /// Workers of one router.
    public static let workersMax = 1_024
    /// Errors a second that a router spends on peers that have not said HELLO.
    public static let rejectionsPerSecondMax = 1_000
    /// Peers that a router or journal remembers.
    public static let peersMax = 10_000
    /// Kept results of one router, for `search.continue`.
    public static let keptResultsMax = 256
    /// Bytes of all kept results of one router.
    public static let keptBytesMax = 64 << 20
    /// Milliseconds that results are kept.
    public static let keptMilliseconds: UInt64 = 300_000

    /// Labels of one request or entity.
    public static let labelsMax = 64
    /// Bytes of one label.
    public static let labelBytesMax = 256
    /// Entities of one `entity.get`.
    public static let entitiesPerGetMax = 1_000

    /// Bytes of exchanges that wait to be recorded; more are left out and counted.
    public static let recordingBytesMax = 128 << 20
    /// Milliseconds that an exchange of an account waits for the account's key before it is left out.
    public static let recordingKeyMilliseconds: UInt64 = 10_000
    /// Bytes of a message log, unless the recorder is told otherwise; the oldest files go first.
    public static let messageLogBytesMax = 4 << 30
    /// Days of a message log, at most.
    public static let messageLogDaysMax = 3_650
    /// Requests that a replay has in flight at full speed, unless it is told otherwise.
    public static let replayWindowDefault = 16
    /// Workers of a replay.
    public static let replayWorkersMax = 16
    /// Milliseconds that a replay waits for a pause in the recording, unless it is told otherwise.
    public static let replayWaitMilliseconds: UInt64 = 600_000
    /// Rules of a replay for what may differ.
    public static let comparisonRulesMax = 1_000
    /// Differences of one reply that a replay shows.
    public static let differencesShown = 20

    // MARK: Liveness

    /// Milliseconds between two pings.
    public static let pingIntervalMilliseconds: UInt32 = 200
    /// The shortest ping interval that a peer may state; a shorter one is taken as this.
    public static let pingIntervalMillisecondsMin: UInt32 = 20
    /// The longest ping interval that a peer may state; a longer one is taken as this.
    public static let pingIntervalMillisecondsMax: UInt32 = 10_000
    /// Missed intervals after which a peer is lost; 600 ms with the default interval.
    public static let missedPingsMax: UInt64 = 3
    /// Milliseconds between two words of a worker about its position, apart from pings.
    public static let positionMilliseconds: UInt64 = 20
    /// Milliseconds that a part is remembered after its last worker left.
    public static let partMemoryMilliseconds: UInt64 = 30_000
    /// Milliseconds that a stopping process waits for what is in flight.
    public static let drainMilliseconds: UInt64 = 10_000

    // MARK: Matching

    /// The largest distance, in millionths.
    public static let distanceMax = 2_000_000
    /// The cut of a request that states none, in millionths.
    public static let distanceDefault = 1_000_000

    // MARK: Pictures

    /// Encoded bytes of one picture.
    public static let pictureBytesMax = 24 << 20
    /// Pixels on one side of a picture.
    public static let pictureSideMax = 65_500
    /// Pixels of a picture that is decoded row by row.
    public static let picturePixelsMax = 300_000_000
    /// Pixels of a picture that must be buffered whole: interlaced PNG, progressive JPEG, lossless or
    /// transparent WebP, HEIC, AVIF.
    public static let pictureBufferedPixelsMax = 50_000_000
    /// Parts of a drawn page that are searched as pictures of their own; the largest.
    public static let pageRegionsMax = 24
    /// Scans of one JPEG picture.
    public static let pictureScansMax = 256
    /// Bytes of the ICC profile of a picture in four inks; a larger one is not followed.
    public static let pictureProfileBytesMax = 4_194_304
    /// Pixels on the longer side of a thumbnail.
    public static let thumbnailSide = 200
    /// Pixels on the longer side of the source copy that the journal keeps.
    public static let sourceCopySide = 1_024

    // MARK: Catalog

    /// Properties of one entity type.
    public static let propertiesMax = 64
    /// Bytes of one string property.
    public static let propertyBytesMax = 4_096
    /// Pictures of one entity.
    public static let picturesPerEntityMax = 8
    /// Versions of prints that one picture of an entity has side by side.
    public static let printVersionsMax = 6
    /// Entity types of a deployment.
    public static let typesMax = 256
    /// Entities that follow from one match by one relation.
    public static let relatedMax = 100
    /// Entities that one relation looks at for one match, in the order of their ids.
    public static let relationCandidatesMax = 10_000
    /// Relations of one entity type.
    public static let relationsMax = 16
    /// Pairs of properties that one relation compares.
    public static let relationPairsMax = 8
    /// The largest weight of a relation.
    public static let relationWeightMax = 1_000_000
    /// Kilometers of a relation, at most: half of the Earth's circumference.
    public static let relationKilometersMax = 20_016
    /// Days of a relation's window, at most.
    public static let relationDaysMax = 3_660
    /// Levels of matches that stand behind one another because they are related.
    public static let relationLevelsMax = 8
    /// Bytes of the name of an entity type, a property or a relation.
    public static let typeNameBytesMax = 64
    /// The largest version of an entity type.
    public static let typeVersionMax = 1_000_000_000
    /// Bytes of a display or route template.
    public static let templateBytesMax = 512
    /// Texts of one string list.
    public static let listElementsMax = 64
    /// Languages of one localised string.
    public static let languagesMax = 64
    /// Entities of one catalog.
    public static let entitiesMax = 1_000_000
    /// Bytes of one row of a file to import.
    public static let importRowBytesMax = bodyBytesMax
    /// Refused rows that an import shows.
    public static let badRowsShown = 1_000
    /// Rows that an import has under way at a time, at most.
    public static let importRowsInFlightMax = 64

    /// Records that could not be applied and are remembered.
    public static let putAsideMax = 1_000
    /// Records put aside that a status shows.
    public static let putAsideShown = 10

    // MARK: Calendar

    /// The revision of a calendar change, at most: the largest whole number of I-JSON.
    public static let revisionMax = 9_007_199_254_740_991
    /// Calendar resources in one change.
    public static let resourcesPerChangeMax = 1_000
    /// Bytes of one calendar resource.
    public static let resourceBytesMax = 256 << 10
    /// Bytes of a calendar file that a command reads.
    public static let calendarFileBytesMax = 64 << 20
    /// Occurrences that a command lists.
    public static let occurrencesListedMax = 1_000_000
    /// Names that a command looks for in titles.
    public static let matchNamesMax = 1_000_000
    /// Bytes of a file of names.
    public static let matchNamesBytesMax = 64 << 20
    /// Occurrences of one series inside a window.
    public static let occurrencesPerSeriesMax = 10_000
    /// Days of the upcoming window, unless a request says otherwise.
    public static let upcomingDaysDefault = 90
    /// Days of the upcoming window, at most.
    public static let upcomingDaysMax = 400
    /// Series of all accounts that a worker keeps read and expanded; others are read when they are
    /// asked for.
    public static let upcomingSeriesMax = 100_000
    /// Days for which a replica keeps an event behind its last occurrence, counted at the next
    /// change of its calendar.
    public static let eventRetentionDays = 400
    /// Names in the reply to a change that the owner of a store does not allow, and parts in the
    /// reply to one that is not applied as a whole.
    public static let refusedPartsShown = 100

    /// Subscriptions of one client.
    public static let subscriptionsPerClientMax = 64
    /// Subscriptions in one router.
    public static let subscriptionsMax = 10_000
    /// Subscriptions whose question a router asks its workers at a time.
    public static let subscriptionsAskedMax = 32
    /// Milliseconds that such a question may take.
    public static let subscriptionBudgetMilliseconds: UInt32 = 10_000
    /// Milliseconds for which a subscription is not asked again after an answer.
    public static let subscriptionRestMilliseconds: UInt64 = 100
    /// Milliseconds after which a question is asked again that nobody could answer.
    public static let subscriptionRetryMilliseconds: UInt64 = 1_000
    /// Milliseconds after which a router looks at the clock again for a subscription.
    public static let subscriptionLookMilliseconds: UInt64 = 60_000

    // MARK: Contacts and health

    /// Entries of one collection of an account, such as a calendar; more are refused.
    public static let entriesPerCollectionMax = 1_000_000
    /// Contacts of all accounts that a worker keeps read and in order; others are read when they are
    /// asked for.
    public static let contactsRememberedMax = 200_000
    /// Bytes of a file of contact cards that a command reads.
    public static let contactFileBytesMax = 64 << 20
    /// Bytes of one health reading.
    public static let readingBytesMax = 4_096
    /// Bytes of a file of health readings that a command reads.
    public static let readingFileBytesMax = 64 << 20
    /// Milliseconds from which on a reading ahead of the clock counts as of the future.
    public static let clockSlackMilliseconds = 600_000

    // MARK: Journal

    /// Bytes of one encoded record.
    public static let recordBytesMax = 2 << 20
    /// Bytes of one blob.
    public static let blobBytesMax = 24 << 20
    /// Blobs of one record.
    public static let blobsPerRecordMax = 64
    /// Bytes of one segment file before the next one begins.
    public static let segmentBytesMax = 64 << 20
    /// Milliseconds for which the first change of a group waits for others before all are synced.
    public static let groupMillisecondsMax: UInt64 = 2
    /// Index files of one worker; beyond them the index stays in memory.
    public static let indexFilesMax = 256
    /// Parts of an index that wait to be merged, from which on changes wait for that.
    public static let indexUnmergedMax = 64
    /// Bytes of a chunk of a snapshot after which the next one begins.
    public static let snapshotChunkBytesMax = 4 << 20
    /// Records behind the newest snapshot after which the next one is made.
    public static let snapshotRecords = 20_000
    /// Milliseconds of the past that compaction keeps: seven days.
    public static let historyMilliseconds: Int64 = 7 * 86_400_000
    /// Account keys of one KEYRING message.
    public static let keyringKeysMax = 500
    /// Accounts of a journal.
    public static let accountsMax = 1_000_000
    /// Records of one TAIL message.
    public static let tailRecordsMax = 64
    /// Bytes of one TAIL message, blobs included; a single record may exceed it.
    public static let tailBytesMax = 8 << 20
    /// Changes of the recent past whose source and id are remembered.
    public static let changeWindowMax = 100_000
    /// Changes that wait for the disk.
    public static let pendingChangesMax = 1_024

    // MARK: Evaluation

    /// Distractors that generated entries show parts of.
    public static let materialPicturesMax = 4_096
    /// Pixels on the longer side of a distractor that generated entries show parts of.
    public static let materialSide = 320
    /// Distorted views of one picture.
    public static let distortionsMax = 1_000
    /// Failures on one contact sheet.
    public static let failuresShown = 200
}
