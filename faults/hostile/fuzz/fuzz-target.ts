/** Runs a parser with ever new inputs; those that lead to new places of the source are kept and bred from. */
import { Dice } from '../../clients/dice.ts'
import { mutateInput } from './mutate-input.ts'
import { watchCoverage } from './watch-coverage.ts'

export interface FuzzTarget {
  name: string
  /** Where to begin. */
  seeds: readonly string[]
  /** Pieces that mean something to the parser. */
  dictionary: readonly string[]
  /** Whose coverage leads; by default that of contract and server. */
  sources?: RegExp
  /** Throws if a promise is broken. */
  run: (input: Buffer) => void
}

export interface Fuzzed {
  name: string
  runs: number
  seconds: number
  corpus: number
  places: number
  /** The first input that broke a promise, as base64, and how. */
  failure: { input: string; reason: string } | undefined
}

/** Looking costs more than running; whoever led somewhere is found by running the batch again. */
const BATCH = 64

export function fuzzTarget(
  target: FuzzTarget,
  { seconds, seed, runsMax = Infinity }: { seconds: number; seed: number; runsMax?: number },
): Fuzzed {
  const dice = new Dice(seed, target.name)
  const coverage = watchCoverage(target.sources)
  const seen = new Set<string>()
  // The places of a batch are others than those of one run.
  const seenTogether = new Set<string>()
  const corpus: Buffer[] = target.seeds.map((text) => Buffer.from(text, 'latin1'))
  const done: Pick<Fuzzed, 'runs' | 'failure'> = { runs: 0, failure: undefined }
  const startMs = performance.now()
  const isOver = () =>
    done.failure !== undefined ||
    done.runs >= runsMax ||
    performance.now() - startMs >= seconds * 1000

  function tryOut(inputs: readonly Buffer[]): string[] {
    coverage.look()
    for (const input of inputs) done.failure ??= failureOf(target, input)
    done.runs += inputs.length
    return coverage.look()
  }

  try {
    note(tryOut(corpus), seen)
    while (!isOver()) {
      const batch = Array.from({ length: BATCH }, () =>
        mutateInput(corpus, target.dictionary, dice),
      )
      const isNew = note(tryOut(batch).map(spotOf), seenTogether)
      if (isNew) corpus.push(...batch.filter((input) => note(tryOut([input]), seen)))
    }
  } finally {
    coverage.stop()
  }
  const tookMs = performance.now() - startMs
  const { length } = corpus
  return { name: target.name, ...done, seconds: tookMs / 1000, corpus: length, places: seen.size }
}

/** Whether one of the places is new. */
function note(places: readonly string[], seen: Set<string>): boolean {
  const before = seen.size
  for (const place of places) seen.add(place)
  return seen.size > before
}

/** Without how often: many runs together go more often through everything, which says nothing. */
function spotOf(place: string): string {
  return place.endsWith(' not') ? place : place.slice(0, place.lastIndexOf(' '))
}

function failureOf({ run }: FuzzTarget, input: Buffer): Fuzzed['failure'] {
  try {
    run(input)
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { input: input.toString('base64'), reason }
  }
}
