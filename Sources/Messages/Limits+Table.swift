extension Limits {
    /// Every limit, in the order of their declaration; a test compares it with `Limits.swift`.
    public static let table: [Limit] = [
        Limit(
            "frameBytesMax", frameBytesMax, .bytes,
            "Bytes of one frame; libzmq drops a larger one and its connection "
                + "(ZMQ_MAXMSGSIZE)."),
        Limit(
            "messageBytesMax", messageBytesMax, .bytes,
            "Bytes of one message, all frames together."),
        Limit("framesMax", framesMax, .count, "Frames of one message."),
        Limit("fieldsMax", fieldsMax, .count, "Fields of one message or record."),
        Limit("nameBytesMax", nameBytesMax, .bytes, "Bytes of a name or other text in a field."),
        Limit(
            "errorTextCharactersMax", errorTextCharactersMax, .characters,
            "Characters of an error's text; within `nameBytesMax` at 4 bytes a "
                + "character."),
        Limit("bodyBytesMax", bodyBytesMax, .bytes, "Bytes of a request or change body."),
        Limit("jsonDepthMax", jsonDepthMax, .levels, "Levels of nesting in JSON."),
        Limit(
            "allowedKeysMax", allowedKeysMax, .count,
            "Public keys that a server lets in."),
        Limit(
            "keyNameBytesMax", keyNameBytesMax, .bytes,
            "Bytes of the name of a key."),
        Limit(
            "keyFileBytesMax", keyFileBytesMax, .bytes,
            "Bytes of a file with a key."),
        Limit(
            "refusalsToldMax", refusalsToldMax, .count,
            "Refused peers that a server tells of, each once; further ones are counted."),
        Limit(
            "refusalsToldMilliseconds", refusalsToldMilliseconds, .milliseconds,
            "Milliseconds after which it may tell of others."),
        Limit(
            "budgetMillisecondsMin", budgetMillisecondsMin, .milliseconds,
            "Milliseconds of a request's budget, at least."),
        Limit(
            "budgetMillisecondsMax", budgetMillisecondsMax, .milliseconds,
            "Milliseconds of a request's budget, at most."),
        Limit(
            "replyGraceMilliseconds", replyGraceMilliseconds, .milliseconds,
            "Milliseconds behind its deadline that a client still waits for a reply on its "
                + "way."),
        Limit("resultsMax", resultsMax, .count, "Results of one reply or of one part."),
        Limit(
            "catalogSlots", catalogSlots, .count,
            "Slots over which the entities of a catalog are spread."),
        Limit(
            "resultsDefault", resultsDefault, .count,
            "Results of a request that states no limit."),
        Limit(
            "inFlightPerClientMax", inFlightPerClientMax, .count,
            "Requests in flight of one client."),
        Limit("inFlightMax", inFlightMax, .count, "Requests in flight in one router."),
        Limit(
            "inFlightBytesMax", inFlightBytesMax, .bytes,
            "Bytes of all requests in flight in one router."),
        Limit(
            "waitingPerPartMax", waitingPerPartMax, .count,
            "Requests that wait for one part of a service."),
        Limit(
            "finishedRequestsMax", finishedRequestsMax, .count,
            "Requests just answered whose ids a router remembers, to drop duplicates."),
        Limit(
            "replyMarginMilliseconds", replyMarginMilliseconds, .milliseconds,
            "Milliseconds before the deadline at which a router replies, at most half "
                + "the budget, until it has measured how late it is."),
        Limit(
            "replyMarginMillisecondsMax", replyMarginMillisecondsMax, .milliseconds,
            "Milliseconds that this margin grows to where a router is late."),
        Limit(
            "queueDelayTargetMilliseconds", queueDelayTargetMilliseconds, .milliseconds,
            "Milliseconds that a request may wait before a queue counts as standing, or a "
                + "quarter of its budget if that is more."),
        Limit(
            "queueDelayIntervalMilliseconds", queueDelayIntervalMilliseconds, .milliseconds,
            "Milliseconds for which a queue stands before requests are shed."),
        Limit(
            "fairnessWeightMax", fairnessWeightMax, .count,
            "Turns of a fairness key where others have one, at most."),
        Limit(
            "hedgesPerThousand", hedgesPerThousand, .count,
            "Second attempts beside the first for 1,000 requests."),
        Limit(
            "hedgesSavedMax", hedgesSavedMax, .count,
            "Second attempts that may be saved up for a part of a service."),
        Limit(
            "prefetchMilliseconds", prefetchMilliseconds, .milliseconds,
            "Milliseconds of work that a worker takes beyond what it runs."),
        Limit(
            "deadRequestsMax", deadRequestsMax, .count,
            "Requests that one router has put aside because workers died under them."),
        Limit(
            "deadBytesMax", deadBytesMax, .bytes,
            "Bytes of all requests that one router has put aside."),
        Limit(
            "jobsMax", jobsMax, .count,
            "Detached requests that one router holds: waiting, running, or with a result that is "
                + "kept."),
        Limit(
            "jobsPerClientMax", jobsPerClientMax, .count,
            "Detached requests of one client, or of one fairness key, that a router holds."),
        Limit(
            "jobRequestBytesMax", jobRequestBytesMax, .bytes,
            "Bytes of all detached requests that wait or run in one router."),
        Limit(
            "jobResultBytesMax", jobResultBytesMax, .bytes,
            "Bytes of the result of one detached request."),
        Limit(
            "jobResultsBytesMax", jobResultsBytesMax, .bytes,
            "Bytes of all results of detached requests that one router keeps."),
        Limit(
            "jobWaitMilliseconds", jobWaitMilliseconds, .milliseconds,
            "Milliseconds that a detached request may wait for room."),
        Limit(
            "jobKeptMilliseconds", jobKeptMilliseconds, .milliseconds,
            "Milliseconds that the result of a detached request is kept."),
        Limit(
            "jobTriesMax", jobTriesMax, .count,
            "Times that a detached request is computed whose answer was incomplete or too late."),
        Limit(
            "countedServicesMax", countedServicesMax, .count,
            "Services that one router counts on their own."),
        Limit(
            "retryAfterMilliseconds", retryAfterMilliseconds, .milliseconds,
            "Milliseconds after which a refused client may try again."),
        Limit(
            "changeBudgetMilliseconds", changeBudgetMilliseconds, .milliseconds,
            "Milliseconds that a change may take if its producer states none."),
        Limit(
            "attemptsMax", attemptsMax, .count,
            "Attempts of one request at workers; a second death ends it."),
        Limit("creditMax", creditMax, .count, "Credit of one worker."),
        Limit("workersMax", workersMax, .count, "Workers of one router."),
        Limit(
            "rejectionsPerSecondMax", rejectionsPerSecondMax, .perSecond,
            "Errors a second that a router spends on peers that have not said HELLO."),
        Limit("peersMax", peersMax, .count, "Peers that a router or journal remembers."),
        Limit(
            "keptResultsMax", keptResultsMax, .count,
            "Kept results of one router, for `search.continue`."),
        Limit("keptBytesMax", keptBytesMax, .bytes, "Bytes of all kept results of one router."),
        Limit(
            "keptMilliseconds", keptMilliseconds, .milliseconds,
            "Milliseconds that results are kept."),
        Limit("labelsMax", labelsMax, .count, "Labels of one request or entity."),
        Limit("labelBytesMax", labelBytesMax, .bytes, "Bytes of one label."),
        Limit("entitiesPerGetMax", entitiesPerGetMax, .count, "Entities of one `entity.get`."),
        Limit(
            "recordingBytesMax", recordingBytesMax, .bytes,
            "Bytes of exchanges that wait to be recorded; more are left out and counted."),
        Limit(
            "recordingKeyMilliseconds", recordingKeyMilliseconds, .milliseconds,
            "Milliseconds that an exchange of an account waits for the account's key before it "
                + "is left out."),
        Limit(
            "messageLogBytesMax", messageLogBytesMax, .bytes,
            "Bytes of a message log, unless the recorder is told otherwise; the oldest files go "
                + "first."),
        Limit("messageLogDaysMax", messageLogDaysMax, .days, "Days of a message log, at most."),
        Limit(
            "replayWindowDefault", replayWindowDefault, .count,
            "Requests that a replay has in flight at full speed, unless it is told otherwise."),
        Limit("replayWorkersMax", replayWorkersMax, .count, "Workers of a replay."),
        Limit(
            "replayWaitMilliseconds", replayWaitMilliseconds, .milliseconds,
            "Milliseconds that a replay waits for a pause in the recording, unless it is told "
                + "otherwise."),
        Limit(
            "comparisonRulesMax", comparisonRulesMax, .count,
            "Rules of a replay for what may differ."),
        Limit(
            "differencesShown", differencesShown, .count,
            "Differences of one reply that a replay shows."),
        Limit(
            "pingIntervalMilliseconds", pingIntervalMilliseconds, .milliseconds,
            "Milliseconds between two pings."),
        Limit(
            "pingIntervalMillisecondsMin", pingIntervalMillisecondsMin, .milliseconds,
            "The shortest ping interval that a peer may state; a shorter one is taken "
                + "as this."),
        Limit(
            "pingIntervalMillisecondsMax", pingIntervalMillisecondsMax, .milliseconds,
            "The longest ping interval that a peer may state; a longer one is taken as "
                + "this."),
        Limit(
            "missedPingsMax", missedPingsMax, .count,
            "Missed intervals after which a peer is lost; 600 ms with the default "
                + "interval."),
        Limit(
            "positionMilliseconds", Int(positionMilliseconds), .milliseconds,
            "Milliseconds between two words of a worker about its position, apart from pings."),
        Limit(
            "partMemoryMilliseconds", partMemoryMilliseconds, .milliseconds,
            "Milliseconds that a part is remembered after its last worker left."),
        Limit(
            "drainMilliseconds", drainMilliseconds, .milliseconds,
            "Milliseconds that a stopping process waits for what is in flight."),
        Limit("distanceMax", distanceMax, .millionths, "The largest distance, in millionths."),
        Limit(
            "distanceDefault", distanceDefault, .millionths,
            "The cut of a request that states none, in millionths."),
        Limit("pictureBytesMax", pictureBytesMax, .bytes, "Encoded bytes of one picture."),
        Limit("pictureSideMax", pictureSideMax, .pixels, "Pixels on one side of a picture."),
        Limit(
            "picturePixelsMax", picturePixelsMax, .pixels,
            "Pixels of a picture that is decoded row by row."),
        Limit(
            "pictureBufferedPixelsMax", pictureBufferedPixelsMax, .pixels,
            "Pixels of a picture that must be buffered whole: interlaced PNG, "
                + "progressive JPEG, lossless or transparent WebP, HEIC, AVIF."),
        Limit(
            "pageRegionsMax", pageRegionsMax, .count,
            "Parts of a drawn page that are searched as pictures of their own; the largest."),
        Limit("pictureScansMax", pictureScansMax, .count, "Scans of one JPEG picture."),
        Limit(
            "pictureProfileBytesMax", pictureProfileBytesMax, .bytes,
            "Bytes of the ICC profile of a picture in four inks; a larger one is not followed."),
        Limit("thumbnailSide", thumbnailSide, .pixels, "Pixels on the longer side of a thumbnail."),
        Limit(
            "sourceCopySide", sourceCopySide, .pixels,
            "Pixels on the longer side of the source copy that the journal keeps."),
        Limit("propertiesMax", propertiesMax, .count, "Properties of one entity type."),
        Limit("propertyBytesMax", propertyBytesMax, .bytes, "Bytes of one string property."),
        Limit("picturesPerEntityMax", picturesPerEntityMax, .count, "Pictures of one entity."),
        Limit(
            "printVersionsMax", printVersionsMax, .count,
            "Versions of prints that one picture of an entity has side by side."),
        Limit("typesMax", typesMax, .count, "Entity types of a deployment."),
        Limit(
            "relatedMax", relatedMax, .count,
            "Entities that follow from one match by one relation."),
        Limit(
            "relationCandidatesMax", relationCandidatesMax, .count,
            "Entities that one relation looks at for one match, in the order of their "
                + "ids."),
        Limit("relationsMax", relationsMax, .count, "Relations of one entity type."),
        Limit(
            "relationPairsMax", relationPairsMax, .count,
            "Pairs of properties that one relation compares."),
        Limit("relationWeightMax", relationWeightMax, .count, "The largest weight of a relation."),
        Limit(
            "relationKilometersMax", relationKilometersMax, .kilometers,
            "Kilometers of a relation, at most: half of the Earth's circumference."),
        Limit("relationDaysMax", relationDaysMax, .days, "Days of a relation's window, at most."),
        Limit(
            "relationLevelsMax", relationLevelsMax, .count,
            "Levels of matches that stand behind one another because they are related."),
        Limit(
            "typeNameBytesMax", typeNameBytesMax, .bytes,
            "Bytes of the name of an entity type, a property or a relation."),
        Limit("typeVersionMax", typeVersionMax, .count, "The largest version of an entity type."),
        Limit(
            "templateBytesMax", templateBytesMax, .bytes,
            "Bytes of a display or route template."),
        Limit("listElementsMax", listElementsMax, .count, "Texts of one string list."),
        Limit("languagesMax", languagesMax, .count, "Languages of one localised string."),
        Limit("entitiesMax", entitiesMax, .count, "Entities of one catalog."),
        Limit(
            "importRowBytesMax", importRowBytesMax, .bytes, "Bytes of one row of a file to import."),
        Limit("badRowsShown", badRowsShown, .count, "Refused rows that an import shows."),
        Limit(
            "importRowsInFlightMax", importRowsInFlightMax, .count,
            "Rows that an import has under way at a time, at most."),
        Limit(
            "putAsideMax", putAsideMax, .count,
            "Records that could not be applied and are remembered."),
        Limit("putAsideShown", putAsideShown, .count, "Records put aside that a status shows."),
        Limit(
            "revisionMax", revisionMax, .count,
            "The revision of a calendar change, at most: the largest whole number of "
                + "I-JSON."),
        Limit(
            "resourcesPerChangeMax", resourcesPerChangeMax, .count,
            "Calendar resources in one change."),
        Limit("resourceBytesMax", resourceBytesMax, .bytes, "Bytes of one calendar resource."),
        Limit(
            "calendarFileBytesMax", calendarFileBytesMax, .bytes,
            "Bytes of a calendar file that a command reads."),
        Limit(
            "occurrencesListedMax", occurrencesListedMax, .count,
            "Occurrences that a command lists."),
        Limit(
            "matchNamesMax", matchNamesMax, .count,
            "Names that a command looks for in titles."),
        Limit(
            "matchNamesBytesMax", matchNamesBytesMax, .bytes, "Bytes of a file of names."),
        Limit(
            "occurrencesPerSeriesMax", occurrencesPerSeriesMax, .count,
            "Occurrences of one series inside a window."),
        Limit(
            "upcomingDaysDefault", upcomingDaysDefault, .days,
            "Days of the upcoming window, unless a request says otherwise."),
        Limit("upcomingDaysMax", upcomingDaysMax, .days, "Days of the upcoming window, at most."),
        Limit(
            "upcomingSeriesMax", upcomingSeriesMax, .count,
            "Series of all accounts that a worker keeps read and expanded; others are read when "
                + "they are asked for."),
        Limit(
            "eventRetentionDays", eventRetentionDays, .days,
            "Days for which a replica keeps an event behind its last occurrence, counted at the "
                + "next change of its calendar."),
        Limit(
            "refusedPartsShown", refusedPartsShown, .count,
            "Names in the reply to a change that the owner of a store does not allow, and parts in "
                + "the reply to one that is not applied as a whole."),
        Limit(
            "subscriptionsPerClientMax", subscriptionsPerClientMax, .count,
            "Subscriptions of one client."),
        Limit(
            "subscriptionsMax", subscriptionsMax, .count,
            "Subscriptions in one router."),
        Limit(
            "subscriptionsAskedMax", subscriptionsAskedMax, .count,
            "Subscriptions whose question a router asks its workers at a time."),
        Limit(
            "subscriptionBudgetMilliseconds", subscriptionBudgetMilliseconds, .milliseconds,
            "Milliseconds that such a question may take."),
        Limit(
            "subscriptionRestMilliseconds", subscriptionRestMilliseconds, .milliseconds,
            "Milliseconds for which a subscription is not asked again after an answer."),
        Limit(
            "subscriptionRetryMilliseconds", subscriptionRetryMilliseconds, .milliseconds,
            "Milliseconds after which a question is asked again that nobody could answer."),
        Limit(
            "subscriptionLookMilliseconds", subscriptionLookMilliseconds, .milliseconds,
            "Milliseconds after which a router looks at the clock again for a "
                + "subscription."),
        Limit(
            "entriesPerCollectionMax", entriesPerCollectionMax, .count,
            "Entries of one collection of an account, such as a calendar; more are refused."),
        Limit(
            "contactsRememberedMax", contactsRememberedMax, .count,
            "Contacts of all accounts that a worker keeps read and in order; others are read when "
                + "they are asked for."),
        Limit(
            "contactFileBytesMax", contactFileBytesMax, .bytes,
            "Bytes of a file of contact cards that a command reads."),
        Limit("readingBytesMax", readingBytesMax, .bytes, "Bytes of one health reading."),
        Limit(
            "readingFileBytesMax", readingFileBytesMax, .bytes,
            "Bytes of a file of health readings that a command reads."),
        Limit(
            "clockSlackMilliseconds", clockSlackMilliseconds, .milliseconds,
            "Milliseconds from which on a reading ahead of the clock counts as of the future."),
        Limit("recordBytesMax", recordBytesMax, .bytes, "Bytes of one encoded record."),
        Limit("blobBytesMax", blobBytesMax, .bytes, "Bytes of one blob."),
        Limit("blobsPerRecordMax", blobsPerRecordMax, .count, "Blobs of one record."),
        Limit(
            "segmentBytesMax", segmentBytesMax, .bytes,
            "Bytes of one segment file before the next one begins."),
        Limit(
            "groupMillisecondsMax", Int(groupMillisecondsMax), .milliseconds,
            "Milliseconds for which the first change of a group waits for others before all are synced."
        ),
        Limit(
            "indexFilesMax", indexFilesMax, .count,
            "Index files of one worker; beyond them the index stays in memory."),
        Limit(
            "indexUnmergedMax", indexUnmergedMax, .count,
            "Parts of an index that wait to be merged, from which on changes wait for that."),
        Limit(
            "snapshotChunkBytesMax", snapshotChunkBytesMax, .bytes,
            "Bytes of a chunk of a snapshot after which the next one begins."),
        Limit(
            "snapshotRecords", snapshotRecords, .count,
            "Records behind the newest snapshot after which the next one is made."),
        Limit(
            "historyMilliseconds", Int(historyMilliseconds), .milliseconds,
            "Milliseconds of the past that compaction keeps: seven days."),
        Limit(
            "keyringKeysMax", keyringKeysMax, .count, "Account keys of one KEYRING message."),
        Limit("accountsMax", accountsMax, .count, "Accounts of a journal."),
        Limit("tailRecordsMax", tailRecordsMax, .count, "Records of one TAIL message."),
        Limit(
            "tailBytesMax", tailBytesMax, .bytes,
            "Bytes of one TAIL message, blobs included; a single record may exceed it."),
        Limit(
            "changeWindowMax", changeWindowMax, .count,
            "Changes of the recent past whose source and id are remembered."),
        Limit("pendingChangesMax", pendingChangesMax, .count, "Changes that wait for the disk."),
        Limit(
            "materialPicturesMax", materialPicturesMax, .count,
            "Distractors that generated entries show parts of."),
        Limit(
            "materialSide", materialSide, .pixels,
            "Pixels on the longer side of a distractor that generated entries show parts of."),
        Limit(
            "distortionsMax", distortionsMax, .count, "Distorted views of one picture."),
        Limit("failuresShown", failuresShown, .count, "Failures on one contact sheet."),
    ]
}
