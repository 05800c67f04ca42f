/**
 * Random plans. Commands name operators, people, apps, holds and grants by their position in the state in which they run,
 * so every shorter list is valid.
 */
import fc from 'fast-check'
import { HOUR_MS, MINUTE_MS, type MoneyKind, type OperatorChange, type Overlap } from './model.ts'
import type { Role } from '@coffer/contract/admin/endpoint'

/** Amounts are in minor units; `plus` is the difference from the limit. */
export type Amount =
  | { of: 'small'; value: number }
  | { of: 'left' | 'threshold' | 'balance' | 'headroom' | 'limit'; plus: number }
  | { of: 'text'; text: string }

/** Who acts. If needed, the operator logs in or confirms first, unless the plan is about a refusal. */
interface Acting {
  who: number
  isReady: boolean
}

interface Repeat {
  /** Repeats an earlier request, counted from the newest; null: a new one. */
  again: number | null
  /** The one field that the repeat changes. */
  changed: 'nothing' | 'amount' | 'kind' | 'person' | 'reason' | 'who'
  /** The answer of the ledger is lost. */
  loss: 'before' | 'after' | null
}

/** Commands of which two can run at the same time. */
export type Decision = Acting &
  (
    | ({ do: 'propose'; person: number; kind: MoneyKind; amount: Amount } & Repeat)
    | ({ do: 'release'; hold: number; isMistaken: boolean } & Repeat)
    | {
        do: 'approve'
        grant: number
        of: 'open' | 'any'
        isFitting: boolean
        loss: 'before' | 'after' | null
      }
    | { do: 'decline'; grant: number; of: 'open' | 'any' }
    | { do: 'limit'; app: number; amount: Amount }
  )

/** What can run at the same time as a decision. A new role applies to it, or not. */
export type Concurrent =
  | Decision
  | (Acting & { do: 'change'; target: number; isProposer: boolean; change: { role: Role } })

export interface SettingsChoice {
  scopes: string[]
  /** Each plan has four origins. */
  origins: number[]
  parents: number[]
  contacts: number[]
}

export type Command =
  | Decision
  | { do: 'together'; first: Decision; second: Concurrent }
  | (Acting & { do: 'roles'; from: number })
  | (Acting & { do: 'settings'; app: number; choice: SettingsChoice; amount: Amount | null })
  | (Acting & { do: 'register'; choice: SettingsChoice; amount: Amount | null })
  | (Acting & { do: 'activate'; app: number; isActive: boolean })
  /** `follows`: by the operator, and for the app, of the newest one that was proposed. */
  | (Acting & { do: 'rotate'; app: number; overlap: Overlap; follows: boolean })
  | (Acting & { do: 'revoke'; app: number; secret: number })
  | (Acting & {
      do: 'hook'
      app: number
      hook: number | null
      url: number
      isEnabled: boolean
      follows: boolean
    })
  | (Acting & { do: 'unhook'; app: number; hook: number })
  | (Acting & { do: 'create'; role: Role; isTaken: boolean })
  | (Acting & { do: 'change'; target: number; isProposer: boolean; change: OperatorChange })
  | (Acting & { do: 'freeze'; person: number; isFrozen: boolean })
  | (Acting & { do: 'pause'; app: number | null; isPaused: boolean })
  | (Acting & { do: 'erase'; person: number })
  | { do: 'confirm'; who: number; means: 'passkey' | 'code' | 'same code' | 'wrong password' }
  | { do: 'logIn'; who: number }
  | { do: 'logOut'; who: number }
  | { do: 'pass'; ms: number | 'before' | 'after' }
  | { do: 'hold'; person: number; amount: number }
  | { do: 'endHold'; hold: number }
  | { do: 'link'; app: number }
  | { do: 'finish' }
  | { do: 'look'; who: number }

export interface Plan {
  /** After the first, who is an owner whom nobody created. */
  operators: { role: Role; createdBy: number | null }[]
  /** The first wallet is almost full. */
  isRich: boolean
  /** Each plan leaves out some commands, so that the others come more often. */
  without: readonly Command['do'][]
  commands: Command[]
}

/** How many operators a plan can begin with. */
export const SLOTS = 5

const position = fc.nat(5)
const recent = fc.oneof(
  { arbitrary: fc.constant(0), weight: 2 },
  { arbitrary: fc.nat(4), weight: 1 },
)
const oftenTrue = fc.constantFrom(true, true, true, true, true, true, true, false)
const acting = { who: position, isReady: oftenTrue }
const role = fc.constantFrom<Role>('owner', 'operator', 'operator', 'viewer')
const firstRole = fc.constantFrom<Role>(
  'owner',
  'owner',
  'operator',
  'operator',
  'operator',
  'viewer',
)
/** Most operators are independent at first. */
const createdBy: fc.Arbitrary<number | null> = fc.oneof(
  { arbitrary: fc.constant(null), weight: 2 },
  { arbitrary: fc.nat(SLOTS - 2), weight: 1 },
)
const plus = fc.integer({ min: -1, max: 1 })

const amount: fc.Arbitrary<Amount> = fc.oneof(
  {
    arbitrary: fc.record({
      of: fc.constant('small' as const),
      value: fc.integer({ min: 1, max: 60_00 }),
    }),
    weight: 8,
  },
  { arbitrary: fc.record({ of: fc.constant('left' as const), plus }), weight: 8 },
  { arbitrary: fc.record({ of: fc.constant('threshold' as const), plus }), weight: 6 },
  { arbitrary: fc.record({ of: fc.constant('balance' as const), plus }), weight: 3 },
  { arbitrary: fc.record({ of: fc.constant('headroom' as const), plus }), weight: 1 },
  { arbitrary: fc.record({ of: fc.constant('limit' as const), plus }), weight: 2 },
  {
    arbitrary: fc.record({
      of: fc.constant('text' as const),
      text: fc.constantFrom('0', '-1', '1.001', '1e2', ''),
    }),
    weight: 1,
  },
)
const loss = fc.constantFrom(
  null,
  null,
  null,
  null,
  null,
  null,
  null,
  'before' as const,
  'after' as const,
)
const repeat = {
  again: fc.oneof({ arbitrary: fc.constant(null), weight: 5 }, { arbitrary: recent, weight: 1 }),
  changed: fc.constantFrom<Repeat['changed']>(
    'nothing',
    'nothing',
    'amount',
    'kind',
    'person',
    'reason',
    'who',
  ),
  loss,
}
const of = fc.constantFrom<'open' | 'any'>('open', 'open', 'open', 'any')
const choice: fc.Arbitrary<SettingsChoice> = fc.record({
  scopes: fc.subarray(['wallet:read', 'wallet:write']),
  origins: fc.subarray([0, 1, 2]),
  parents: fc.subarray([0, 1, 2, 3]),
  contacts: fc.subarray([0, 1]),
})

function make<Of extends Command['do'], Fields extends object>(
  does: Of,
  fields: { [Key in keyof Fields]: fc.Arbitrary<Fields[Key]> },
) {
  const record: unknown = fc.record({ do: fc.constant(does), ...fields })
  return record as fc.Arbitrary<{ do: Of } & Fields>
}

const propose = make('propose', {
  ...acting,
  person: position,
  kind: fc.constantFrom<MoneyKind>('bonus', 'bonus', 'correction_in', 'correction_out'),
  amount,
  ...repeat,
})
const release = make('release', {
  ...acting,
  hold: recent,
  isMistaken: fc.constantFrom(false, false, false, false, true),
  ...repeat,
})
const approve = make('approve', {
  ...acting,
  grant: recent,
  of,
  isFitting: fc.constantFrom(true, true, false),
  loss,
})
const decline = make('decline', { ...acting, grant: recent, of })
const limit = make('limit', { ...acting, app: position, amount })
const decision = fc.oneof(
  { arbitrary: propose, weight: 8 },
  { arbitrary: approve, weight: 8 },
  { arbitrary: decline, weight: 3 },
  { arbitrary: limit, weight: 3 },
  { arbitrary: release, weight: 4 },
)
/** Each alone is within what the operator has left, and both together are not. */
const both = make('propose', {
  ...acting,
  person: position,
  kind: fc.constantFrom<MoneyKind>('bonus', 'correction_in'),
  amount: fc.record({ of: fc.constant('left' as const), plus: fc.integer({ min: -1, max: 0 }) }),
  again: fc.constant(null),
  changed: fc.constant('nothing' as const),
  loss: fc.constant(null),
}).map((first) => ({ do: 'together' as const, first, second: first }))
const isProposer = fc.boolean()
const rival = fc.oneof(
  { arbitrary: decision, weight: 3 },
  {
    arbitrary: make('change', {
      ...acting,
      target: position,
      isProposer,
      change: fc.record({ role }),
    }),
    weight: 1,
  },
)
const change: fc.Arbitrary<OperatorChange> = fc.oneof(
  fc.record({ role }),
  fc.record({ isActive: fc.boolean() }),
  fc.constant({ resetAuthenticator: true as const }),
  fc.constant({}),
)
const maybeHook: fc.Arbitrary<number | null> = fc.option(fc.nat(1))
const maybeApp: fc.Arbitrary<number | null> = fc.option(position, { freq: 2 })
const maybeAmount: fc.Arbitrary<Amount | null> = fc.option(amount, { freq: 2 })
const overlap = fc.constantFrom<Overlap>('none', '1h', '24h', '7d')
const pass = fc.oneof(
  { arbitrary: fc.constantFrom<'before' | 'after'>('before', 'after'), weight: 4 },
  {
    arbitrary: fc.constantFrom(MINUTE_MS, 4 * MINUTE_MS, 14 * MINUTE_MS, HOUR_MS),
    weight: 2,
  },
  { arbitrary: fc.constantFrom(7 * HOUR_MS, 23 * HOUR_MS, 25 * HOUR_MS), weight: 2 },
)

const command: fc.Arbitrary<Command> = fc.oneof(
  { arbitrary: decision, weight: 60 },
  { arbitrary: make('together', { first: decision, second: rival }), weight: 6 },
  { arbitrary: both, weight: 3 },
  { arbitrary: make('roles', { ...acting, from: fc.nat(100) }), weight: 5 },
  {
    arbitrary: make('settings', { ...acting, app: position, choice, amount: maybeAmount }),
    weight: 8,
  },
  { arbitrary: make('register', { ...acting, choice, amount: maybeAmount }), weight: 3 },
  { arbitrary: make('activate', { ...acting, app: position, isActive: fc.boolean() }), weight: 3 },
  {
    arbitrary: make('rotate', { ...acting, app: position, overlap, follows: fc.boolean() }),
    weight: 5,
  },
  { arbitrary: make('revoke', { ...acting, app: position, secret: recent }), weight: 2 },
  {
    arbitrary: make('hook', {
      ...acting,
      app: position,
      hook: maybeHook,
      url: fc.nat(1),
      isEnabled: fc.boolean(),
      follows: fc.boolean(),
    }),
    weight: 6,
  },
  { arbitrary: make('unhook', { ...acting, app: position, hook: recent }), weight: 1 },
  {
    arbitrary: make('create', {
      ...acting,
      role,
      isTaken: fc.constantFrom(true, false, false, false),
    }),
    weight: 3,
  },
  { arbitrary: make('change', { ...acting, target: position, isProposer, change }), weight: 6 },
  { arbitrary: make('freeze', { ...acting, person: position, isFrozen: fc.boolean() }), weight: 3 },
  {
    arbitrary: make('pause', {
      ...acting,
      app: maybeApp,
      isPaused: fc.constantFrom(true, false, false),
    }),
    weight: 3,
  },
  { arbitrary: make('erase', { ...acting, person: position }), weight: 2 },
  {
    arbitrary: make('confirm', {
      who: position,
      means: fc.constantFrom('passkey', 'passkey', 'code', 'same code', 'wrong password'),
    }),
    weight: 2,
  },
  { arbitrary: make('logIn', { who: position }), weight: 2 },
  { arbitrary: make('logOut', { who: position }), weight: 1 },
  { arbitrary: make('pass', { ms: pass }), weight: 8 },
  {
    arbitrary: make('hold', { person: position, amount: fc.integer({ min: 1, max: 50_00 }) }),
    weight: 6,
  },
  { arbitrary: make('endHold', { hold: recent }), weight: 1 },
  { arbitrary: make('link', { app: position }), weight: 1 },
  { arbitrary: make('finish', {}), weight: 3 },
  { arbitrary: make('look', { who: position }), weight: 3 },
)

const ABOUT_APPS: Command['do'][] = [
  'settings',
  'register',
  'activate',
  'rotate',
  'revoke',
  'hook',
  'limit',
  'link',
]
const ABOUT_MONEY: Command['do'][] = [
  'propose',
  'release',
  'hold',
  'freeze',
  'erase',
  'pause',
  'finish',
]
const ABOUT_LOG_INS: Command['do'][] = ['roles', 'confirm', 'logIn', 'logOut']
const without: fc.Arbitrary<readonly Command['do'][]> = fc.oneof(
  {
    arbitrary: fc.subarray<Command['do']>([
      'release',
      'decline',
      'limit',
      'together',
      'roles',
      'settings',
      'register',
      'activate',
      'rotate',
      'revoke',
      'hook',
      'create',
      'change',
      'freeze',
      'pause',
      'erase',
      'confirm',
      'logOut',
      'pass',
      'hold',
      'link',
      'look',
    ]),
    weight: 2,
  },
  {
    arbitrary: fc.constantFrom(
      [...ABOUT_APPS, ...ABOUT_LOG_INS, 'erase' as const],
      [...ABOUT_APPS, ...ABOUT_LOG_INS, 'create' as const],
      [...ABOUT_MONEY, ...ABOUT_LOG_INS],
    ),
    weight: 2,
  },
)

/** Without bias: short lists and small numbers are common enough. */
export const plan: fc.Arbitrary<Plan> = fc.noBias(
  fc.record({
    operators: fc.array(fc.record({ role: firstRole, createdBy }), {
      minLength: 2,
      maxLength: SLOTS - 1,
      size: 'max',
    }),
    isRich: fc.constantFrom(true, false, false, false, false),
    without,
    commands: fc.array(command, { minLength: 1, maxLength: 60, size: 'max' }),
  }),
)

const BY_FIRST = { who: 0, isReady: true }
const BY_SECOND = { who: 1, isReady: true }
const LARGE: Amount = { of: 'threshold', plus: 1 }
const NEW = { again: null, changed: 'nothing', loss: null } as const
const PROPOSE = { do: 'propose', ...BY_FIRST, kind: 'bonus', amount: LARGE, ...NEW } as const
const APPROVE = {
  do: 'approve',
  ...BY_SECOND,
  grant: 0,
  of: 'open',
  isFitting: false,
  loss: null,
} as const

const HALF = { ...PROPOSE, person: 0, amount: { of: 'left', plus: 0 } } as const
const BOTH: Command = { do: 'together', first: HALF, second: HALF }
const TOMORROW: Command = { do: 'pass', ms: 25 * HOUR_MS }

function changeContacts(contacts: number[]): Command {
  const wanted = { scopes: [], origins: [], parents: [], contacts }
  return { do: 'settings', ...BY_FIRST, app: 0, choice: wanted, amount: null }
}

/**
 * What rarely happens by chance: writes are paused, the person of a grant is gone, two grants at the same time are too
 * much together, and contacts are replaced.
 */
export const RARE: Plan[] = (
  [
    [
      { do: 'pause', ...BY_FIRST, app: null, isPaused: true },
      { ...PROPOSE, person: 0 },
      { do: 'pause', ...BY_FIRST, app: null, isPaused: false },
    ],
    [
      // This person has no money.
      { ...PROPOSE, person: 2 },
      { do: 'erase', ...BY_FIRST, person: 2 },
      APPROVE,
    ],
    [BOTH, TOMORROW, BOTH, TOMORROW, BOTH],
    [changeContacts([0]), APPROVE, changeContacts([1]), APPROVE],
  ] satisfies Command[][]
).map((commands) => ({
  operators: [{ role: 'owner', createdBy: null }],
  isRich: false,
  without: [],
  commands,
}))
