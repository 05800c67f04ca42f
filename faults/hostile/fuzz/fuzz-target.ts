/** Runs a parser with new inputs; inputs that reach new places in the source are kept and mutated further. */
import { Dice } from '../../clients/dice.ts'
import { mutateInput } from './mutate-input.ts'
import { watchCoverage } from './watch-coverage.ts'

export interface FuzzTarget {
  name: string
  /** The first inputs. */
  seeds: readonly string[]
  /** Tokens that have a meaning for the parser. */
  dictionary: readonly string[]
  /** The source files whose coverage guides the search; default: contract and server. */
  sources?: RegExp
  /** Throws if the parser violates its contract. */
  run: (input: Buffer) => void
}

export interface Fuzzed {
  name: string
  runs: number
  seconds: number
  corpus: number
  places: number
  /** The first input that violated the contract, as base64, and the reason. */
  failure: { input: string; reason: string } | undefined
}

/** Reading the coverage costs more than running; the input that reached a new place is found by running the batch again. */
const BATCH = 64

export function fuzzTarget(
  target: FuzzTarget,
  { seconds, seed, runsMax = Infinity }: { seconds: number; seed: number; runsMax?: number },
): Fuzzed {
  const dice = new Dice(seed, target.name)
  const coverage = watchCoverage(target.sources)
  const seen = new Set<string>()
  // A batch reaches other places than a single run.
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

/** Without the execution count: a batch executes everything more often, which has no meaning. */
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
