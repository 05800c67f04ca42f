/** One clock for the service and its database, which a test moves ahead: hours, days and months pass at once. */
import { startClockPostgres } from './ledger/clock-postgres.ts'

export interface Clock {
  /** Of a database server that follows this clock. */
  url: string
  /** Time never goes back. */
  advanceMs(ms: number): void
  stop(): Promise<void>
}

export async function startClock(): Promise<Clock> {
  const postgres = await startClockPostgres()
  const RealDate = globalThis.Date
  let aheadMs = 0
  const now = () => RealDate.now() + aheadMs
  // Dates of both kinds have the same prototype, so `instanceof` works on all of them.
  globalThis.Date = new Proxy(RealDate, {
    construct: (_, given: []) =>
      given.length === 0 ? new RealDate(now()) : new RealDate(...given),
    get: (date, name) => (name === 'now' ? now : (Reflect.get(date, name) as unknown)),
  })
  return {
    url: postgres.url,
    advanceMs(ms) {
      if (ms < 0) throw new RangeError('Time does not go back.')
      aheadMs += ms
      postgres.setClock(aheadMs / 1000)
    },
    async stop() {
      globalThis.Date = RealDate
      await postgres.stop()
    },
  }
}
