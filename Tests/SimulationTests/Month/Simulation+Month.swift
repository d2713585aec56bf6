import Messages
import Queue
import TestSupport

extension Simulation {
    /// Sends the next change of each account of a client; ends the chaos once all are answered.
    func send(_ month: SimulatedMonth, from client: Int) {
        guard !month.isSent else { return events.insert(.heal, at: now) }
        for account in 0..<month.accountCount where account % clients.count == client {
            guard let delivery = month.next(of: account, at: now) else { continue }
            month.sent(account, under: nextTicket)
            submit(client, message(of: delivery), isCalm: false)
        }
    }

    private func message(of delivery: CalendarMonth.Delivery) -> Message {
        var message = Message(Header(.record, budgetMilliseconds: 600))
        message.fields.set(.recordKind, text: delivery.kind.rawValue)
        message.fields.set(.source, text: "month")
        message.fields.set(.changeID, text: delivery.id)
        message.fields.set(.account, text: delivery.account)
        message.body = delivery.body.canonical()
        return message
    }
}
