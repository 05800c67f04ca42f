/** Which parts of our own source were run, from the engine's own counters: nothing is rewritten for it. */
import { Session, type Profiler } from 'node:inspector'

/** The parsers' own source. */
const OURS = /^file:.*\/(contract|server)\/.*\.ts$/

export interface Coverage {
  /** What was run since the last look: places, with how often they were run, roughly. */
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
      // Within one thread it is answered before the call returns.
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

/** The engine joins neighbours that were run equally often, so what was not run tells as much as what was. */
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
