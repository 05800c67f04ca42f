/** A journal that can be cut off, as if the clients had stopped at some point in time. */
import type { ServiceResponse } from '../clients/send-request.ts'
import { Journal } from '../clients/journal.ts'
import type { Meaning } from '../clients/classify-response.ts'

export class TruncatableJournal extends Journal {
  readonly #responses: { at: number; response: ServiceResponse; seq: number; atMs: number }[] = []

  override receive(
    at: number,
    response: ServiceResponse,
    seq = 0,
    atMs = performance.now(),
  ): Meaning {
    this.#responses.push({ at, response, seq, atMs })
    return super.receive(at, response, seq, atMs)
  }

  /** Removes requests sent after the first time; the outcome of those with a response after the second time is unknown. */
  cut({ sentMs, respondedMs }: { sentMs: number; respondedMs: number }): TruncatableJournal {
    const journal = new TruncatableJournal()
    for (let pair = 0; pair < this.pairCount; pair++) {
      const { app, referenceType, target } = this.pair(pair)
      journal.openPair(app, referenceType, target)
    }
    for (let at = 0; at < this.requestCount; at++) {
      const request = this.request(at)
      if (request.sentMs <= sentMs) journal.send(request, request.sentMs)
    }
    for (const { at, response, seq, atMs } of this.#responses) {
      if (atMs <= respondedMs) journal.receive(at, response, seq, atMs)
    }
    return journal
  }
}
