/** A journal that can be cut: as it would be if the clients had stopped writing at some moment. */
import type { Answer } from '../clients/ask.ts'
import { Journal } from '../clients/journal.ts'
import type { Meaning } from '../clients/read-meaning.ts'

export class CutableJournal extends Journal {
  readonly #answers: { at: number; answer: Answer; seq: number; atMs: number }[] = []

  override receive(at: number, answer: Answer, seq = 0, atMs = performance.now()): Meaning {
    this.#answers.push({ at, answer, seq, atMs })
    return super.receive(at, answer, seq, atMs)
  }

  /** Whatever was sent after the first moment was never sent; what was answered after the second is unknown. */
  cut({ sentMs, answeredMs }: { sentMs: number; answeredMs: number }): CutableJournal {
    const journal = new CutableJournal()
    for (let pair = 0; pair < this.pairCount; pair++) {
      const { app, referenceType } = this.pair(pair)
      journal.openPair(app, referenceType)
    }
    for (let at = 0; at < this.requestCount; at++) {
      const request = this.request(at)
      if (request.sentMs <= sentMs) journal.send(request, request.sentMs)
    }
    for (const { at, answer, seq, atMs } of this.#answers) {
      if (atMs <= answeredMs) journal.receive(at, answer, seq, atMs)
    }
    return journal
  }
}
