/** Plays random plans on the service and on a model until they differ, and shrinks the plan that shows it. */
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { whyNoClockPostgres } from '../server/test/ledger/clock-postgres.ts'

/** What happened in all plans: `refund 409 REFUND_EXCEEDS_DEBIT` → how often. */
export class Hits {
  readonly counts = new Map<string, number>()

  add(name: string) {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
  }

  missing(names: readonly string[]): string[] {
    return names.filter((name) => !this.counts.has(name))
  }
}

/** The service and its model, ready for many plans. */
export interface ModelSetup<Plan> {
  /** Throws at the first difference. `note` records a step, for the person who reads the failure. */
  play(plan: Plan, note: (step: string) => void): Promise<void>
  close(): Promise<void>
}

export interface Model<Plan> {
  name: string
  plan: fc.Arbitrary<Plan>
  /** `hit` counts what happened. */
  open(hit: (name: string) => void): Promise<ModelSetup<Plan>>
  /** Without these, the plans are too weak to find a bug in them. */
  mustHit: readonly string[]
  /** How many plans a run of CI plays: less than a minute. */
  plans: number
  /** Plans that once showed a bug, or that rarely happen by chance. */
  first: readonly Plan[]
}

export interface CheckOptions {
  /** Instead of a number of plans. */
  seconds?: number | undefined
  /** The minimum number of plans. More are played until every entry of mustHit has occurred. */
  plans?: number | undefined
  seed?: number | undefined
  path?: string | undefined
}

export interface Checked {
  plans: number
  seconds: number
  hits: Hits
  /** How to repeat the difference, and the steps of the shortest plan that shows it. */
  failure?: { message: string; seed: number; path: string | null; plan: unknown; steps: string[] }
}

/** While an entry of mustHit is missing, at most this multiple of `plans` is played. */
const MORE = 5

export async function checkModel<Plan>(
  model: Model<Plan>,
  { seconds, plans, seed, path }: CheckOptions,
): Promise<Checked> {
  const hits = new Hits()
  let played = 0
  let steps: string[] = []
  const setup = await model.open((name) => hits.add(name))
  const startMs = performance.now()
  const isDone = () =>
    plans !== undefined && played >= plans && hits.missing(model.mustHit).length === 0
  const property = fc.asyncProperty(model.plan, async (plan) => {
    if (isDone()) return
    const taken: string[] = []
    try {
      await setup.play(plan, (step) => taken.push(step))
      played++
    } catch (error) {
      steps = taken
      throw error
    }
  })
  try {
    const details = await fc.check(property, {
      numRuns: path === undefined ? MORE * (plans ?? 200_000) : 1,
      ...(seed !== undefined && { seed }),
      ...(path !== undefined && { path }),
      examples: model.first.map((plan) => [plan] as [Plan]),
      ...(seconds !== undefined && { interruptAfterTimeLimit: seconds * 1000 }),
      markInterruptAsFailure: false,
    })
    const common = { plans: played, seconds: (performance.now() - startMs) / 1000, hits }
    if (!details.failed) return common
    const { errorInstance, counterexample, counterexamplePath } = details
    const message = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
    const repeat = { seed: details.seed, path: counterexamplePath, plan: counterexample?.[0] }
    return { ...common, failure: { message, ...repeat, steps } }
  } finally {
    await setup.close()
  }
}

/** The seed of CI; the nightly job takes a random one. */
const SEED = 20261119

export const OPTIONS = { skip: whyNoClockPostgres(), timeout: 3_600_000 }

/** MODEL_SECONDS, MODEL_SEED and MODEL_PATH replace the number of plans and the seed of CI. */
export async function assertAgrees<Plan>(model: Model<Plan>) {
  const given = (name: string) => {
    const text = process.env[name]
    return text === undefined ? undefined : Number(text)
  }
  const seconds = given('MODEL_SECONDS')
  const path = process.env['MODEL_PATH']
  const { failure, hits } = await checkModel(model, {
    ...(seconds === undefined ? { plans: model.plans } : { seconds }),
    seed: given('MODEL_SEED') ?? SEED,
    path,
  })
  if (failure) console.log([...failure.steps, JSON.stringify(failure.plan)].join('\n'))
  assert(
    !failure,
    `${failure?.message}\nMODEL_SEED=${failure?.seed} MODEL_PATH=${failure?.path} repeats it`,
  )
  if (path === undefined) assert.deepEqual(hits.missing(model.mustHit), [], 'never happened')
}
