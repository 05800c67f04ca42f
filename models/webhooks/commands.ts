/** Random plans. A command names things by their position in the state, so that every shorter plan is valid, too. */
import fc from 'fast-check'
import type { EventType } from '@coffer/contract/server/events'
import { OVERLAPS } from '@coffer/contract/server/webhook-shapes'
import { ANSWER_NAMES, ANSWERS, type AnswerName } from './answers.ts'
import type { Overlap } from './model.ts'

export type ActorChoice =
  | { of: 'app'; name: number; which: 'newest' | 'older' | 'plain' }
  | { of: 'operator'; index: number }
  | { of: 'viewer' }

export interface SettingsChoice {
  /** The position of a receiver; null: a URL that is refused. */
  receiver: number | null
  types: EventType[] | null
  description: string
}

interface OfApp {
  app: number
}

/** A webhook of an app; `isForeign`: of the other app. */
export interface OfWebhook extends OfApp {
  actor: ActorChoice
  webhook: number
  isForeign: boolean
}

export interface CreateChoice extends OfApp {
  actor: ActorChoice
  settings: SettingsChoice
}

export type Command =
  | { do: 'link' | 'unlink'; app: number; person: number }
  /** `isSame`: the wallet is in that state already. */
  | { do: 'freeze'; person: number; isSame: boolean }
  | { do: 'hold'; app: number; person: number; seconds: number }
  /** `isFinal`: the rest of the hold is released. */
  | { do: 'capture'; hold: number; isFinal: boolean }
  | { do: 'expire' | 'balances' | 'project' | 'crash' | 'drain' }
  | { do: 'set' | 'fill' | 'reachLimit' | 'wait'; app: number }
  | { do: 'rotateSecret'; app: number; name: number; overlap: Overlap }
  | { do: 'revokeSecret'; app: number; name: number; which: number }
  | ({ do: 'create' } & CreateChoice)
  | ({ do: 'change'; settings: SettingsChoice; keepsUrl: boolean; isEnabled: boolean } & OfWebhook)
  | ({ do: 'delete'; isRepeated: boolean } & OfWebhook)
  | ({ do: 'test' | 'enableAgain' } & OfWebhook)
  | ({ do: 'rotate'; overlap: Overlap } & OfWebhook)
  | ({ do: 'resend'; by: 'event' | 'since' | 'both'; event: number } & OfWebhook)
  /** `isOwn`: who asked for it tries to approve it. `uses`: then a webhook with the URL is made. */
  | { do: 'approve'; app: number; grant: number; isOwn: boolean; uses: boolean }
  /** `projects`: what happened before gets its number first. */
  | { do: 'deliver'; projects: boolean; rounds: number; rests: boolean }
  | { do: 'pass'; ms: number | 'due' }
  | { do: 'answer'; receiver: number; answers: AnswerName[] }
  | { do: 'expireEvents'; app: number }
  | { do: 'failForDays'; app: number; answer: AnswerName }
  | { do: 'failAllAttempts'; app: number; answer: AnswerName }
  | { do: 'feed'; app: number; limit: number; types: EventType[] | null }
  | { do: 'cursor'; app: number; from: 'event' | 'foreign' | 'junk'; event: number }
  | ({ do: 'look'; state: 'waiting' | 'delivered' | 'failed' | null } & OfWebhook)

export interface Plan {
  /** Whether the second app is new: nobody has linked it. */
  hasNewApp: boolean
  /** Of each app: whether it gets balance.changed. */
  watching: boolean[]
  /** Commands that this plan leaves out, so that the others happen more often. */
  omitted: Command['do'][]
  /** What each receiver answers at first. */
  answers: AnswerName[][]
  /** The webhooks at the beginning. */
  webhooks: CreateChoice[]
  commands: Command[]
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const small = fc.nat({ max: 3 })
const seldom = fc.nat({ max: 5 }).map((value) => value === 0)
const app = fc.nat({ max: 3 }).map((value) => Math.floor(value / 3))
const actor: fc.Arbitrary<ActorChoice> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      of: fc.constant('app' as const),
      name: fc.nat({ max: 1 }),
      which: fc.oneof(
        { weight: 10, arbitrary: fc.constant('newest' as const) },
        { weight: 2, arbitrary: fc.constant('older' as const) },
        { weight: 1, arbitrary: fc.constant('plain' as const) },
      ),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ of: fc.constant('operator' as const), index: fc.nat({ max: 1 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ of: 'viewer' as const }) },
)
const eventTypes = fc.option(
  fc.subarray<EventType>(
    [
      'link.created',
      'link.ended',
      'wallet.frozen',
      'hold.expired',
      'balance.changed',
      'client_app.changed',
      'webhook.disabled',
    ],
    { minLength: 1 },
  ),
  { freq: 1 },
)
const settings = fc.record({
  receiver: fc.option(fc.nat({ max: 3 }), { freq: 12 }),
  types: eventTypes,
  description: fc.constantFrom('', 'production', 'Täglich 🙂'),
})
const ofWebhook = {
  app,
  actor,
  webhook: small,
  isForeign: fc.nat({ max: 7 }).map((value) => value === 0),
}
const answer = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<AnswerName>('ok', 'error') },
  { weight: 4, arbitrary: fc.constantFrom(...ANSWER_NAMES) },
)
const failure = fc.constantFrom<AnswerName>(
  ...ANSWER_NAMES.filter((name) => !ANSWERS[name].isSuccess),
)
const answers = fc.array(answer, { minLength: 1, maxLength: 4 })
/** An app can make a webhook at once, and an operator can while the app is new. */
const firstActor = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      of: fc.constant('app' as const),
      name: fc.nat({ max: 1 }),
      which: fc.constant('newest' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ of: fc.constant('operator' as const), index: fc.nat({ max: 1 }) }),
  },
)
const overlap = fc.constantFrom<Overlap>(...OVERLAPS)
const is = <Name extends Command['do']>(name: Name) => fc.constant(name)

const WEIGHTED: [number, fc.Arbitrary<Command>][] = [
  [27, fc.record({ do: fc.constantFrom('link', 'unlink'), app, person: fc.nat({ max: 1 }) })],
  [9, fc.record({ do: is('freeze'), person: fc.nat({ max: 1 }), isSame: seldom })],
  [
    9,
    fc.record({
      do: is('hold'),
      app,
      person: fc.nat({ max: 1 }),
      seconds: fc.constantFrom(60, 3_600, 500_000),
    }),
  ],
  [9, fc.record({ do: is('capture'), hold: small, isFinal: seldom })],
  [6, fc.record({ do: is('expire') })],
  [6, fc.record({ do: is('balances') })],
  [24, fc.record({ do: is('project') })],
  [6, fc.record({ do: is('crash') })],
  [3, fc.record({ do: is('drain') })],
  [15, fc.record({ do: is('set'), app })],
  [1, fc.record({ do: is('fill'), app })],
  [1, fc.record({ do: is('reachLimit'), app })],
  [1, fc.record({ do: is('wait'), app })],
  [6, fc.record({ do: is('rotateSecret'), app, name: fc.nat({ max: 1 }), overlap })],
  [6, fc.record({ do: is('revokeSecret'), app, name: fc.nat({ max: 1 }), which: small })],
  [30, fc.record({ do: is('create'), app, actor, settings })],
  [
    18,
    fc.record({
      do: is('change'),
      ...ofWebhook,
      settings,
      keepsUrl: fc.boolean(),
      isEnabled: fc.nat({ max: 2 }).map((value) => value > 0),
    }),
  ],
  [6, fc.record({ do: is('delete'), ...ofWebhook, isRepeated: fc.boolean() })],
  [9, fc.record({ do: is('test'), ...ofWebhook })],
  [15, fc.record({ do: is('enableAgain'), ...ofWebhook })],
  [12, fc.record({ do: is('rotate'), ...ofWebhook, overlap })],
  [
    18,
    fc.record({
      do: is('resend'),
      ...ofWebhook,
      by: fc.constantFrom('event', 'since', 'event', 'since', 'both'),
      event: fc.nat({ max: 9 }),
    }),
  ],
  [
    15,
    fc.record({
      do: is('approve'),
      app,
      grant: small,
      isOwn: seldom,
      uses: fc.boolean(),
    }),
  ],
  [
    42,
    fc.record({
      do: is('deliver'),
      projects: fc.nat({ max: 3 }).map((value) => value > 0),
      rounds: fc.integer({ min: 1, max: 3 }),
      rests: fc.boolean(),
    }),
  ],
  [
    24,
    fc.record({
      do: is('pass'),
      ms: fc.constantFrom<number | 'due'>(
        'due',
        'due',
        'due',
        7 * SECOND,
        6 * MINUTE,
        40 * MINUTE,
        3 * HOUR,
        26 * HOUR,
      ),
    }),
  ],
  [3, fc.record({ do: is('pass'), ms: fc.constantFrom(8 * DAY, 15 * DAY, 40 * DAY) })],
  [
    21,
    fc.record({
      do: is('answer'),
      receiver: small,
      answers,
    }),
  ],
  [2, fc.record({ do: is('expireEvents'), app })],
  [3, fc.record({ do: is('failForDays'), app, answer: failure })],
  [3, fc.record({ do: is('failAllAttempts'), app, answer: failure })],
  [9, fc.record({ do: is('feed'), app, limit: fc.integer({ min: 1, max: 5 }), types: eventTypes })],
  [
    6,
    fc.record({
      do: is('cursor'),
      app,
      from: fc.constantFrom('event', 'event', 'foreign', 'junk'),
      event: fc.nat({ max: 9 }),
    }),
  ],
  [
    9,
    fc.record({
      do: is('look'),
      ...ofWebhook,
      state: fc.constantFrom(null, 'waiting' as const, 'delivered' as const, 'failed' as const),
    }),
  ],
]

const OMITTABLE: Command['do'][] = [
  'unlink',
  'freeze',
  'hold',
  'rotateSecret',
  'revokeSecret',
  'change',
  'delete',
  'rotate',
  'resend',
  'approve',
  'crash',
  'pass',
  'answer',
]

export const PLAN: fc.Arbitrary<Plan> = fc.record({
  hasNewApp: fc.boolean(),
  watching: fc.array(fc.constantFrom(true, true, false), { minLength: 2, maxLength: 2 }),
  omitted: fc.subarray(OMITTABLE, { maxLength: 7 }),
  answers: fc.array(answers, { minLength: 4, maxLength: 4 }),
  webhooks: fc.array(fc.record({ app, actor: firstActor, settings }), {
    maxLength: 4,
    size: 'max',
  }),
  commands: fc.array(fc.oneof(...WEIGHTED.map(([weight, arbitrary]) => ({ weight, arbitrary }))), {
    minLength: 10,
    maxLength: 40,
    size: 'max',
  }),
})

const HOLD = { do: 'hold', app: 0, person: 0, seconds: 60 } as const
const LONGER: Command = { do: 'pass', ms: 6 * MINUTE }

/** What rarely happens by chance. */
export const RARE: Plan[] = [
  [HOLD, { do: 'balances' }, LONGER, { do: 'expire' }, { do: 'balances' }],
  [HOLD, { do: 'capture', hold: 0, isFinal: false }, LONGER, { do: 'expire' }],
  // What comes after the last event of the wanted type must not be searched again.
  [
    { do: 'unlink', app: 0, person: 0 },
    { do: 'set', app: 0 },
    { do: 'project' },
    { do: 'feed', app: 0, limit: 2, types: ['link.ended'] },
  ],
].map((commands) => ({
  hasNewApp: false,
  watching: [true, true],
  omitted: [],
  answers: [],
  webhooks: [],
  commands: commands as Command[],
}))
