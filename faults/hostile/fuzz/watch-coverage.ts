/** Reads which parts of our own source were executed, from V8's counters; the source is not rewritten. */
import { Session, type Profiler } from 'node:inspector'

/** The parsers' own source. */
const OURS = /^file:.*\/(contract|server)\/.*\.ts$/

export interface Coverage {
  /** Places executed since the last call, with their approximate execution count. */
  look(): string[]
  stop(): void
}

export function watchCoverage(sources = OURS): Coverage {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return {
    look() {
      const places: string[] = []
      // Within one thread the callback runs before the call returns.
      session.post('Profiler.takePreciseCoverage', (_error, found) => {
        for (const script of found.result) {
          if (sources.test(script.url)) places.push(...placesOf(script))
        }
      })
      return places
    },
    stop: () => session.disconnect(),
  }
}

/** V8 merges neighbouring ranges with equal counts, so ranges that were not executed carry information too. */
function placesOf({ scriptId, functions }: Profiler.ScriptCoverage): string[] {
  return functions
    .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
    .flatMap(({ ranges }) =>
      ranges.map(({ startOffset, endOffset, count }) => {
        const roughly = count === 0 ? 'not' : Math.min(6, Math.floor(Math.log2(count)))
        return `${scriptId} ${startOffset} ${endOffset} ${roughly}`
      }),
    )
}
