/**
 * Limits the exports in progress. An export reads page after page for as long as its client reads, so that a few of
 * them can keep a process busy.
 */
import type { FastifyInstance } from 'fastify'
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { ServiceError } from '../service-error.ts'

const EXPORTS_MAX = 2
/** Those of apps are idle between two pages, however slowly their client reads, and no app may block the others. */
export const APP_EXPORTS_MAX = 64
/** How long exports may continue while the process stops: a part of the time after which it is killed. */
const LAST_EXPORTS_MS = 5_000

export class Exports {
  /** By caller; undefined until the first page has been read. */
  readonly #inProgress = new Map<string, Readable | undefined>()
  readonly #max: number
  #isEnded = false

  constructor(max = EXPORTS_MAX) {
    this.#max = max
  }

  /**
   * Throws RATE_LIMITED if the caller has an export in progress, or if the process has too many. An export is in
   * progress until its last query has ended, so that nobody can start many by closing the connection.
   */
  async start(
    caller: string,
    response: ServerResponse,
    open: () => Promise<Readable>,
  ): Promise<Readable> {
    const isBusy = this.#inProgress.has(caller) || this.#inProgress.size >= this.#max
    if (isBusy || this.#isEnded) throw new ServiceError('RATE_LIMITED')
    this.#inProgress.set(caller, undefined)
    const lines = await open().catch((error: unknown) => {
      this.#inProgress.delete(caller)
      throw error
    })
    this.#inProgress.set(caller, lines)
    // After "end", the caller may have started the next export before "close".
    const finish = () => {
      if (this.#inProgress.get(caller) === lines) this.#inProgress.delete(caller)
    }
    lines.once('end', finish).once('close', finish)
    response.once('close', () => lines.destroy())
    // The client has disconnected, or its request has reached its deadline.
    if (this.#isEnded || response.writableEnded || response.destroyed) {
      lines.destroy()
      throw new ServiceError('SERVICE_UNAVAILABLE')
    }
    return lines
  }

  /** Ends every export. The connections break, so that no client takes a part of a file for all of it. */
  end(): void {
    this.#isEnded = true
    for (const lines of this.#inProgress.values()) lines?.destroy()
  }
}

/** While the process stops, slow clients must not keep it running. */
export function endExportsOnClose(app: FastifyInstance, all: readonly Exports[]) {
  app.addHook('preClose', (done) => {
    const end = () => all.forEach((each) => each.end())
    setTimeout(end, LAST_EXPORTS_MS).unref()
    done()
  })
}
