/// Faults that tests switch on, to see that the simulator finds them. Off in every configuration
/// that code outside this package can make.
package enum PlantedBug: String, Sendable, CaseIterable {
    /// The router answers a request again when a late result comes.
    case lateResultIsSent
    /// The router sends a worker more requests than it granted credit for.
    case creditIsIgnored
    /// The router does not give credit back when a cancelled request ends.
    case creditLeaks
    /// The router begins a duplicate request anew.
    case duplicateBeginsAgain
    /// The router does not reply at the deadline.
    case deadlineIsForgotten
    /// The router lets a part's queue grow without bound.
    case queueIsUnbounded
    /// The router forgets the requests of a lost worker.
    case lostWorkerKeepsRequests
    /// The router acknowledges a change when it forwards it.
    case acknowledgedTooEarly
    /// The router states the highest position of the parts.
    case positionIsHighest
    /// The router keeps every copy of a union key.
    case unionIsNotMade
    /// The router sends requests on whose time is over.
    case expiredIsDispatched
    /// The router refuses the requests that should show whether a service has become faster.
    case probesAreRefused
    /// The router tries everything at two workers, idempotent or not.
    case everythingIsRepeated
    /// The router has no budget for second attempts.
    case hedgesAreUnbounded
    /// The router lets the slower of two attempts go on.
    case loserGoesOn
    /// The router tries a request again however many workers died under it.
    case deadRequestIsTriedAgain
    /// The router does not tell apart whose turn it is.
    case turnsAreByArrival
    /// The router lets every request wait with the same priority.
    case prioritiesAreIgnored
    /// The router lets requests of one key wait in order of arrival.
    case deadlinesAreIgnored
    /// The router never sheds.
    case queueMayStand
    /// The router sheds from those who ask for least.
    case thinnestGivesWay
    /// The router does not hear that a worker drains.
    case drainingWorkerGetsWork
    /// The router takes the slots that are offered for all.
    case gapsAreNotSeen
    /// The router lets every part decode the picture.
    case picturesArePassedOn
    /// The router answers with less than the client demands.
    case leastShareIsIgnored
    /// The worker holds against routers that its own loop stood still.
    case lagIsHeldAgainstOthers
    /// The router tries again whatever a worker says about it.
    case pushBackIsIgnored
    /// The router forgets what a worker said about trying again while another attempt goes on.
    case otherAttemptForgetsPushBack
    /// The router accepts a detached request twice under one key.
    case jobKeyIsIgnored
    /// The router says that it accepted a detached request before it is kept.
    case jobIsAcceptedBeforeKept
    /// The router does not take up the detached requests that an earlier process kept.
    case keptJobIsForgotten
    /// The router says of a detached request that it does not know that it waits.
    case lostJobLooksUnfinished
    /// The router holds any number of detached requests of one client.
    case jobsAreUnbounded
    /// A draining worker keeps what it has not begun.
    case queueIsNotHandedBack
    /// The worker begins requests whose budget is gone.
    case expiredJobStarts
    /// The worker begins a request again when it is delivered twice.
    case duplicateJobStarts
    /// The client keeps a request after its outcome.
    case outcomeIsRepeated
    /// The client never greets a router that restarted.
    case helloIsSaidOnce
    /// The replica takes every TAIL, and every record in it.
    case recordsApplyAgain
    /// The replica ignores that the epoch changed.
    case epochIsIgnored
}
