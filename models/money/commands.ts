/**
 * Random plans. Commands name apps, wallets, references and amounts by their position in the state in which they run, so a
 * shorter or simpler plan is still meaningful, and fast-check can shrink it.
 */
import type { SecretScope } from '@coffer/contract/endpoint'
import fc from 'fast-check'
import type { LimitTerms } from './spend-limit.ts'
import { TYPES, type OwnKind, type Type } from './state.ts'

export type AmountChoice =
  | { of: 'small'; value: number }
  | { of: 'balance' | 'left' | 'limit'; plus: number }
  | { of: 'none' }
  | { of: 'text'; text: string }

/** An operation that an app will send. Which request it is depends on the state. */
export interface Intent {
  type: Type
  wallet: number
  user: 'live' | 'ended' | 'foreign' | 'unknown'
  amount: AmountChoice
  /** Which earlier debit or hold, counted from the newest. */
  target: number
  targetOf: 'open' | 'fitting' | 'any' | 'none'
  /** It has the reference of an earlier operation, counted from the newest. */
  again: number | null
  /** What the repeat sends: the same, the same with one other value, or something new. */
  repeats: 'same' | 'changed' | 'new'
  isFinal: boolean | undefined
  seconds: number | undefined
  description: string | undefined
  metadata: Record<string, string> | undefined
}

export const TIME_ZONES = ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Auckland'] as const

interface OnWallet {
  wallet: number
}
interface OfApp {
  app: number
}
/** The app uses its restricted secret, if it has the scopes for it or not. */
interface WithSecret {
  isRestricted: boolean
}
/** Open holds are counted from the newest. */
interface OnHold {
  hold: number
}

export interface CommandFields {
  send: OfApp & WithSecret & { intent: Intent }
  batch: OfApp & WithSecret & { intents: Intent[] }
  /** Operations at the same time. */
  race: OfApp & { intents: Intent[] }
  /** Operations while all writes, or those of one app, are paused. */
  pause: OfApp & { of: 'all' | 'app'; intents: Intent[]; isBatch: boolean }
  /** More entries than a page shows. */
  fill: OfApp & OnWallet & { count: number }
  /** What the service posts itself. */
  'post own': OnWallet & { kind: OwnKind; amount: number }
  freeze: OnWallet & { isFrozen: boolean }
  link: OfApp & OnWallet
  unlink: OfApp & OnWallet
  limit: OfApp & OnWallet & { limit: LimitChoice }
  close: OnWallet
  /** An operator releases a hold. */
  release: OnHold
  /** The person reports that somebody else used the account. */
  suspend: OnHold
  /** An operator allows the capture of a suspended hold. */
  allow: OnHold
  pass: OnHold & { to: PassTo; zone: number; hours: number; isBefore: boolean }
  'expire holds': object
  'report balances': object
  compare: object
}
export type CommandName = keyof CommandFields
export type Command = {
  [Name in CommandName]: { do: Name } & CommandFields[Name]
}[CommandName]
export type PassTo = 'hours' | 'day' | 'week' | 'month' | 'hold'

export type Max = Extract<keyof LimitTerms, `${string}Max`>

export interface LimitChoice {
  /** A single field of the limit that there is, or everything. */
  changes: 'all' | Max | 'lastDay' | 'timeZone'
  maxes: (number | undefined)[]
  lastDay: 'none' | 'past' | 'today' | 'next week'
  zone: number
  isConfirmed: boolean
}

export interface Plan {
  apps: {
    onMismatch: 'replay' | 'conflict'
    creditLimit: number | null
    /** What its restricted secret can do. */
    secretScopes: SecretScope[]
  }[]
  pageSize: number
  /** The wallets are almost full, and apps may credit any amount. */
  isRich: boolean
  /** Chooses what it compares: each plan reads a third of the views. */
  reader: number
  /** Each plan leaves out some of the commands, so that the others come more often. */
  focus: {
    types: Type[]
    without: CommandName[]
    isOneWallet: boolean
    isOneApp: boolean
    /** All limits are of this period, and time passes by days and to its end. */
    limitOf: 'week' | 'month' | null
  }
  commands: Command[]
}

const either = fc.nat(1)
const recent = fc.nat(4)

/** `often` as often as it says, compared with the others. */
function choose<Value>(...values: (readonly [often: number, value: Value])[]): fc.Arbitrary<Value> {
  return fc.oneof(...values.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })))
}

function edgeOf<Name extends 'balance' | 'left' | 'limit'>(of: Name) {
  return fc.record({ of: fc.constant(of), plus: fc.integer({ min: -1, max: 1 }) })
}

const small = fc.record({
  of: fc.constant('small' as const),
  value: fc.integer({ min: 1, max: 40 }),
})
const amountText = fc
  .constantFrom('0', '1.001', '1e2', '-1', '01', '')
  .map((text) => ({ of: 'text' as const, text }))
const amount: fc.Arbitrary<AmountChoice> = fc.oneof(
  { weight: 12, arbitrary: small },
  { weight: 6, arbitrary: edgeOf('left') },
  { weight: 4, arbitrary: edgeOf('balance') },
  { weight: 3, arbitrary: edgeOf('limit') },
  { weight: 4, arbitrary: fc.constant({ of: 'none' as const }) },
  { weight: 1, arbitrary: amountText },
)
const intent: fc.Arbitrary<Intent> = fc.record({
  type: choose<Type>(
    [2, 'debit'],
    [2, 'credit'],
    [2, 'refund'],
    [2, 'hold'],
    [2, 'capture'],
    [1, 'release'],
  ),
  wallet: either,
  user: choose<Intent['user']>([42, 'live'], [1, 'ended'], [1, 'foreign'], [1, 'unknown']),
  amount,
  target: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: recent }),
  targetOf: choose<Intent['targetOf']>([26, 'open'], [14, 'fitting'], [1, 'any'], [1, 'none']),
  again: fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: recent }),
  repeats: choose<Intent['repeats']>([1, 'same'], [2, 'changed'], [1, 'new']),
  isFinal: choose<boolean | undefined>([1, undefined], [1, true], [2, false]),
  seconds: fc.constantFrom(undefined, 60, 3600, 86_400),
  description: fc.constantFrom(undefined, undefined, '', 'Tea', 'größer, "x"'),
  metadata: choose<Record<string, string> | undefined>(
    [3, undefined],
    [1, {}],
    [1, { order: 'ä1' }],
    [1, { a: '1', b: '2' }],
  ),
})

function intents(maxLength: number) {
  return fc.array(intent, { minLength: 2, maxLength })
}

function command<Name extends CommandName>(
  weight: number,
  name: Name,
  fields: { [Field in keyof CommandFields[Name]]: fc.Arbitrary<CommandFields[Name][Field]> },
) {
  const all: Record<string, fc.Arbitrary<unknown>> = { do: fc.constant(name), ...fields }
  return { weight, arbitrary: fc.record(all) as fc.Arbitrary<unknown> as fc.Arbitrary<Command> }
}

const max = fc.option(fc.integer({ min: 0, max: 150 }), { nil: undefined, freq: 2 })
const limit: fc.Arbitrary<LimitChoice> = fc.record({
  changes: choose<LimitChoice['changes']>(
    [6, 'all'],
    [1, 'singleMax'],
    [1, 'dayMax'],
    [1, 'weekMax'],
    [1, 'monthMax'],
    [1, 'lastDay'],
    [2, 'timeZone'],
  ),
  maxes: fc.array(max, { minLength: 4, maxLength: 4 }),
  lastDay: choose<LimitChoice['lastDay']>([8, 'none'], [2, 'today'], [1, 'next week'], [1, 'past']),
  zone: choose([4, 0], [1, 1], [1, 2], [1, 3]),
  isConfirmed: choose([3, true], [1, false]),
})
const ownKind = choose<OwnKind>(
  [1, 'topup'],
  [1, 'card_refund'],
  [4, 'seizure'],
  [1, 'reversal'],
  [1, 'bonus'],
  [1, 'correction_in'],
  [1, 'correction_out'],
)
const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  command(48, 'send', { app: either, intent, isRestricted: choose([15, false], [1, true]) }),
  command(10, 'batch', {
    app: either,
    intents: intents(6),
    isRestricted: choose([4, false], [1, true]),
  }),
  command(4, 'race', { app: either, intents: intents(3) }),
  command(2, 'pause', {
    of: fc.constantFrom('all' as const, 'app' as const),
    app: either,
    intents: intents(4),
    isBatch: fc.boolean(),
  }),
  command(2, 'fill', { app: either, wallet: either, count: fc.integer({ min: 45, max: 60 }) }),
  command(10, 'post own', {
    wallet: either,
    kind: ownKind,
    amount: fc.integer({ min: 1, max: 160 }),
  }),
  command(4, 'freeze', { wallet: either, isFrozen: choose([1, true], [2, false]) }),
  command(4, 'link', { app: either, wallet: either }),
  command(2, 'unlink', { app: either, wallet: either }),
  command(12, 'pass', {
    to: choose<PassTo>([6, 'hold'], [3, 'hours'], [4, 'day'], [1, 'week'], [1, 'month']),
    zone: fc.nat(TIME_ZONES.length - 1),
    hold: recent,
    hours: fc.integer({ min: 1, max: 30 }),
    isBefore: choose([1, true], [4, false]),
  }),
  command(4, 'expire holds', {}),
  command(2, 'report balances', {}),
  command(2, 'compare', {}),
  command(4, 'release', { hold: recent }),
  command(6, 'suspend', { hold: recent }),
  command(4, 'allow', { hold: recent }),
  command(9, 'limit', { app: either, wallet: either, limit }),
  command(2, 'close', { wallet: either }),
)

/** What a plan may leave out. */
const OPTIONAL: CommandName[] = [
  'batch',
  'race',
  'pause',
  'fill',
  'post own',
  'freeze',
  'unlink',
  'pass',
  'expire holds',
  'report balances',
  'compare',
  'release',
  'suspend',
  'limit',
  'close',
]

const focus: fc.Arbitrary<Plan['focus']> = fc.record({
  types: fc.oneof(
    fc.constant<Type[]>([...TYPES]),
    fc.constantFrom<Type[]>(
      ['hold', 'capture', 'release'],
      ['debit', 'refund'],
      ['hold', 'capture', 'refund'],
      ['debit', 'credit', 'refund'],
    ),
    fc.subarray<Type>([...TYPES], { minLength: 2 }),
  ),
  without: fc.subarray<CommandName>(OPTIONAL, { maxLength: 10 }),
  isOneWallet: fc.boolean(),
  isOneApp: choose([2, false], [1, true]),
  limitOf: choose<Plan['focus']['limitOf']>([4, null], [1, 'week'], [1, 'month']),
})

const secretScopes = fc.subarray<SecretScope>(
  ['wallet:debit', 'wallet:credit', 'wallet:refund', 'wallet:hold'],
  { minLength: 1 },
)

/** Without bias: short lists and small numbers are common enough. */
export const plan: fc.Arbitrary<Plan> = fc.noBias(
  fc.record({
    apps: fc.tuple(
      fc.record({
        onMismatch: fc.constant('replay' as const),
        creditLimit: fc.constantFrom(null, 30),
        secretScopes,
      }),
      fc.record({
        onMismatch: fc.constant('conflict' as const),
        creditLimit: fc.constantFrom(null, 0, 60),
        secretScopes,
      }),
    ),
    pageSize: fc.integer({ min: 1, max: 7 }),
    isRich: choose([6, false], [1, true]),
    reader: fc.nat(1_000),
    focus,
    commands: fc.array(anyCommand, { minLength: 1, maxLength: 60, size: 'max' }),
  }),
)
