/** Random plans. Commands name people, top-ups, cards and events by their position in the state, so every shorter list is valid. */
import fc from 'fast-check'
import type { CardName } from './processor.ts'
import { TIME_ZONES } from './automatic.ts'

/** Calls of the processor that get no response while the command runs. `position` chooses among those that it makes. */
export interface PlannedFault {
  position: number
  /** once: the second attempt gets a response. */
  how: 'before' | 'after' | 'status500' | 'status500After' | 'status429' | 'once'
}

export type CardChoice = 'none' | 'save' | 'stored' | 'gone' | 'foreign'
export type Part = 'all' | 'half' | 'one' | 'over' | 'zero'

export type Command =
  | {
      do: 'create'
      person: number
      app: number | null
      amount: number
      card: CardChoice
      position: number
      isStale: boolean
      fault: PlannedFault | null
    }
  | {
      do: 'widgetCard'
      person: number
      app: number
      amount: number
      position: number
      repeats: boolean
    }
  | {
      do: 'pay'
      topup: number
      card: CardName | 'stored'
      challenge: 'passed' | 'failed' | 'open'
      isSlow: boolean
    }
  | { do: 'bankDecides'; topup: number; isPassed: boolean }
  | {
      do: 'confirm'
      topup: number
      as: 'own' | 'otherPerson' | 'otherApp'
      isStale: boolean
      fault: PlannedFault | null
    }
  | {
      do: 'deliver'
      event: number
      which: 'next' | 'newest' | 'any' | 'forged' | 'old'
      times: number
      fault: PlannedFault | null
    }
  | { do: 'race'; topup: number }
  | { do: 'sweep'; isSlow: boolean; fault: PlannedFault | null }
  | { do: 'pass'; minutes: number }
  | { do: 'passMonth'; person: number; isBefore: boolean }
  | {
      do: 'refund'
      topup: number
      part: Part
      again: 'no' | 'same' | 'changed'
      fault: PlannedFault | null
    }
  | { do: 'processorRefund'; topup: number; part: Part }
  | { do: 'endRefund'; refund: number; isFailed: boolean }
  | { do: 'dispute'; topup: number; part: Part; isInquiry: boolean }
  | { do: 'resolve'; topup: number; outcome: 'won' | 'lost' | 'warning_closed' | 'escalated' }
  | {
      do: 'removeCard' | 'chooseCard'
      person: number
      position: number
      isForeign: boolean
      fault: PlannedFault | null
    }
  | { do: 'bank'; person: number; position: number; bank: 'good' | 'declined' | 'asks' }
  | {
      do: 'automatic'
      person: number
      threshold: number
      amount: number
      monthMax: number
      timeZone: string
      card: CardChoice
      position: number
      isPasswordRight: boolean
      fault: PlannedFault | null
    }
  | { do: 'automaticOff' | 'reset'; person: number }
  | { do: 'freeze'; person: number; isFrozen: boolean }
  | { do: 'debit'; person: number; part: Part }
  | { do: 'delete'; person: number; fault: PlannedFault | null }
  | { do: 'reconcile'; creditsMissing: boolean }
  | { do: 'look' }

export type Of<Name extends Command['do']> = Extract<Command, { do: Name }>

export interface Plan {
  freezesOnDispute: boolean
  /** Each plan leaves out some commands, so that the others come more often. */
  without: Command['do'][]
  isOnePerson: boolean
  /** Where all top-ups start, so that the limits of one place are reached. */
  onlyApp: number | null | undefined
  /** Most cards are declined. */
  isUnlucky: boolean
  hasFaults: boolean
  /** Cards that are saved before the plan begins. */
  savedCards: CardName[]
  startsAutomatic: boolean
  commands: Command[]
}

const person = fc.constantFrom(0, 0, 1)
const app = fc.constantFrom(null, null, 0, 1)
const recent = fc.constantFrom(0, 0, 0, 1, 1, 2, 3, 4)
const position = fc.nat(3)
const amount = fc.constantFrom(1000, 1000, 2000, 2000, 2000, 2000, 3000, 3000, 100, 1234, 99, 3001)
const fault: fc.Arbitrary<PlannedFault | null> = fc.option(
  fc.record({
    position: fc.nat(9),
    how: fc.constantFrom<PlannedFault['how']>(
      'before',
      'after',
      'status500',
      'status500After',
      'status429',
      'once',
    ),
  }),
  { freq: 2 },
)
const part = fc.constantFrom<Part>('all', 'all', 'half', 'half', 'one', 'over', 'zero')
const rarely = fc.constantFrom(true, ...Array<false>(7).fill(false))
const often = fc.constantFrom(true, true, true, false)
const cardChoice = fc.constantFrom<CardChoice>(
  'none',
  'none',
  'none',
  'none',
  'save',
  'save',
  'stored',
  'stored',
  'stored',
  'gone',
  'foreign',
)
const cardName = fc.constantFrom<CardName>(
  'visa',
  'mastercard',
  'asks',
  'declined',
  'pending',
  'refundFails',
)

function weigh(weight: number, arbitrary: fc.Arbitrary<Command>) {
  return { weight, arbitrary }
}

function named<Name extends Command['do'], Rest extends object>(
  name: Name,
  rest: fc.Arbitrary<Rest>,
) {
  return rest.map((fields) => ({ do: name, ...fields }))
}

const payment = fc.oneof(
  weigh(
    12,
    named(
      'create',
      fc.record({ person, app, amount, card: cardChoice, position, isStale: rarely, fault }),
    ),
  ),
  weigh(
    2,
    named(
      'widgetCard',
      fc.record({ person, app: fc.nat(1), amount, position, repeats: fc.boolean() }),
    ),
  ),
  weigh(
    12,
    named(
      'pay',
      fc.record({
        topup: recent,
        card: fc.oneof(
          cardName,
          fc.constantFrom<'stored' | CardName>('stored', 'visa', 'visa', 'declined'),
        ),
        challenge: fc.constantFrom<'passed' | 'failed' | 'open'>(
          'passed',
          'passed',
          'failed',
          'open',
        ),
        isSlow: rarely,
      }),
    ),
  ),
  weigh(2, named('bankDecides', fc.record({ topup: recent, isPassed: often }))),
  weigh(
    6,
    named(
      'confirm',
      fc.record({
        topup: recent,
        as: fc.constantFrom<'own' | 'otherPerson' | 'otherApp'>(
          'own',
          'own',
          'own',
          'own',
          'otherPerson',
          'otherApp',
        ),
        isStale: rarely,
        fault,
      }),
    ),
  ),
  weigh(
    9,
    named(
      'deliver',
      fc.record({
        event: recent,
        which: fc.constantFrom<'next' | 'newest' | 'any' | 'forged' | 'old'>(
          'next',
          'next',
          'next',
          'newest',
          'newest',
          'any',
          'forged',
          'old',
        ),
        times: fc.constantFrom(1, 1, 2, 4, 8),
        fault,
      }),
    ),
  ),
  weigh(2, named('race', fc.record({ topup: recent }))),
)

const time = fc.oneof(
  weigh(5, named('sweep', fc.record({ isSlow: rarely, fault }))),
  weigh(
    5,
    named(
      'pass',
      fc.record({ minutes: fc.constantFrom(1, 4, 6, 15, 59, 60, 61, 120, 360, 1439, 1440, 1500) }),
    ),
  ),
  weigh(1, named('passMonth', fc.record({ person, isBefore: fc.boolean() }))),
)

const returned = fc.oneof(
  weigh(
    5,
    named(
      'refund',
      fc.record({
        topup: recent,
        part,
        again: fc.constantFrom<'no' | 'same' | 'changed'>('no', 'no', 'no', 'same', 'changed'),
        fault,
      }),
    ),
  ),
  weigh(2, named('processorRefund', fc.record({ topup: recent, part }))),
  weigh(2, named('endRefund', fc.record({ refund: recent, isFailed: fc.boolean() }))),
  weigh(
    3,
    named(
      'dispute',
      fc.record({ topup: recent, part, isInquiry: fc.constantFrom(false, false, true) }),
    ),
  ),
  weigh(
    3,
    named(
      'resolve',
      fc.record({
        topup: recent,
        outcome: fc.constantFrom(
          'won' as const,
          'lost' as const,
          'warning_closed' as const,
          'escalated' as const,
        ),
      }),
    ),
  ),
)

const cards = fc.oneof(
  weigh(1, named('removeCard', fc.record({ person, position, isForeign: rarely, fault }))),
  weigh(1, named('chooseCard', fc.record({ person, position, isForeign: rarely, fault }))),
  weigh(
    2,
    named(
      'bank',
      fc.record({
        person,
        position,
        bank: fc.constantFrom<'good' | 'declined' | 'asks'>('good', 'declined', 'declined', 'asks'),
      }),
    ),
  ),
  weigh(
    5,
    named(
      'automatic',
      fc.record({
        person,
        threshold: fc.constantFrom(500, 1000, 3000, 3000, 5000, 5000, 5000, 0),
        amount: fc.constantFrom(1000, 1000, 2000, 2000, 2000, 3000, 3001, 99),
        monthMax: fc.constantFrom(2000, 3000, 6000, 6000, 10_000, 10_000),
        timeZone: fc.constantFrom(...Object.keys(TIME_ZONES)),
        card: fc.constantFrom<CardChoice>(
          'stored',
          'stored',
          'stored',
          'stored',
          'stored',
          'gone',
          'foreign',
        ),
        position,
        isPasswordRight: fc.constantFrom(...Array<true>(9).fill(true), false),
        fault,
      }),
    ),
  ),
  weigh(1, named('automaticOff', fc.record({ person }))),
)

const rest = fc.oneof(
  weigh(1, named('reset', fc.record({ person }))),
  weigh(2, named('freeze', fc.record({ person, isFrozen: fc.constantFrom(true, false, false) }))),
  weigh(6, named('debit', fc.record({ person, part }))),
  weigh(2, named('delete', fc.record({ person, fault }))),
  weigh(1, named('reconcile', fc.record({ creditsMissing: fc.boolean() }))),
  weigh(1, fc.constant({ do: 'look' as const })),
)

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 50, arbitrary: payment },
  { weight: 20, arbitrary: time },
  { weight: 14, arbitrary: returned },
  { weight: 11, arbitrary: cards },
  { weight: 11, arbitrary: rest },
)

const CREATE: Of<'create'> = {
  do: 'create',
  person: 0,
  app: null,
  amount: 2000,
  card: 'none',
  position: 0,
  isStale: false,
  fault: null,
}
const PAY: Of<'pay'> = { do: 'pay', topup: 0, card: 'visa', challenge: 'passed', isSlow: false }
const DECLINED: Of<'pay'> = { ...PAY, card: 'declined' }
const DELIVER: Of<'deliver'> = { do: 'deliver', event: 0, which: 'next', times: 8, fault: null }
const SWEEP: Of<'sweep'> = { do: 'sweep', isSlow: false, fault: null }
const DEBIT: Of<'debit'> = { do: 'debit', person: 0, part: 'all' }
const AUTOMATIC: Of<'automatic'> = {
  do: 'automatic',
  person: 0,
  threshold: 5000,
  amount: 1000,
  monthMax: 10_000,
  timeZone: 'UTC',
  card: 'stored',
  position: 0,
  isPasswordRight: true,
  fault: null,
}
function times(count: number, one: Command): Command[] {
  return Array.from({ length: count }, () => one)
}

/** Of the calls of a round of the sweeper. */
const [CREATION, CHARGE, REFUND] = [2, 3, 5]

function loseInSweep(call: number, how: PlannedFault['how']): Command {
  return { ...SWEEP, fault: { position: call, how } }
}

/** What rarely happens by chance. */
const SCRIPTS: Command[][] = [
  // The terms change while a charge is open.
  [AUTOMATIC, DEBIT, loseInSweep(CHARGE, 'before'), { ...AUTOMATIC, amount: 3000 }, SWEEP],
  [AUTOMATIC, DEBIT, loseInSweep(CREATION, 'after'), { do: 'reset', person: 0 }, SWEEP, SWEEP],
  [AUTOMATIC, DEBIT, loseInSweep(CHARGE, 'after'), SWEEP],
  [
    AUTOMATIC,
    { do: 'bank', person: 0, position: 0, bank: 'declined' },
    DEBIT,
    SWEEP,
    { do: 'pass', minutes: 61 },
    SWEEP,
    { do: 'pass', minutes: 61 },
    SWEEP,
  ],
  [
    AUTOMATIC,
    { do: 'removeCard', person: 0, position: 0, isForeign: false, fault: null },
    { do: 'look' },
  ],
  [
    AUTOMATIC,
    DEBIT,
    SWEEP,
    { do: 'passMonth', person: 0, isBefore: true },
    DEBIT,
    loseInSweep(CHARGE, 'before'),
    { do: 'passMonth', person: 0, isBefore: false },
    SWEEP,
  ],
  // Charges of the month before do not count, and those of this month do, wherever the month has begun.
  ...Object.keys(TIME_ZONES).map((timeZone): Command[] => [
    { ...AUTOMATIC, timeZone, amount: 2000, monthMax: 3000 },
    { do: 'passMonth', person: 0, isBefore: true },
    DEBIT,
    SWEEP,
    DEBIT,
    { do: 'pass', minutes: 61 },
    SWEEP,
    DEBIT,
    { do: 'pass', minutes: 61 },
    SWEEP,
  ]),
  // What was refunded at the processor comes back.
  [
    CREATE,
    PAY,
    DELIVER,
    { do: 'processorRefund', topup: 0, part: 'half' },
    DELIVER,
    { do: 'endRefund', refund: 0, isFailed: true },
    DELIVER,
  ],
  [
    CREATE,
    PAY,
    DELIVER,
    { do: 'refund', topup: 0, part: 'half', again: 'no', fault: null },
    { do: 'endRefund', refund: 0, isFailed: true },
    DELIVER,
  ],
  [
    CREATE,
    PAY,
    DELIVER,
    { do: 'refund', topup: 0, part: 'half', again: 'no', fault: { position: 0, how: 'after' } },
    SWEEP,
  ],
  // Refunds that are in doubt count, also if the balance suffices for more.
  [
    ...times(2, CREATE),
    PAY,
    { ...PAY, topup: 1 },
    DELIVER,
    { do: 'refund', topup: 0, part: 'half', again: 'no', fault: { position: 0, how: 'before' } },
    { do: 'refund', topup: 0, part: 'over', again: 'no', fault: null },
    { do: 'refund', topup: 0, part: 'all', again: 'no', fault: null },
  ],
  [
    CREATE,
    PAY,
    DELIVER,
    { do: 'refund', topup: 0, part: 'half', again: 'no', fault: { position: 0, how: 'before' } },
    loseInSweep(REFUND, 'after'),
    SWEEP,
  ],
  // Somebody has refunded everything at the processor, so it refuses.
  [
    CREATE,
    PAY,
    DELIVER,
    { do: 'processorRefund', topup: 0, part: 'all' },
    { do: 'refund', topup: 0, part: 'half', again: 'no', fault: null },
    DELIVER,
  ],
  // Refunds fail after the account is gone: money arrives more than once.
  [
    CREATE,
    PAY,
    DELIVER,
    { do: 'refund', topup: 0, part: 'half', again: 'no', fault: null },
    { do: 'refund', topup: 0, part: 'all', again: 'no', fault: null },
    { do: 'endRefund', refund: 0, isFailed: true },
    { do: 'endRefund', refund: 1, isFailed: true },
    { do: 'delete', person: 0, fault: null },
    DELIVER,
  ],
  // Disputes.
  [
    CREATE,
    PAY,
    DELIVER,
    DEBIT,
    { do: 'dispute', topup: 0, part: 'all', isInquiry: false },
    DELIVER,
    { do: 'resolve', topup: 0, outcome: 'won' },
    DELIVER,
  ],
  [
    CREATE,
    PAY,
    { do: 'dispute', topup: 0, part: 'half', isInquiry: false },
    { ...DELIVER, which: 'newest', times: 1 },
    { do: 'resolve', topup: 0, outcome: 'lost' },
  ],
  // The limits.
  [
    ...times(5, { ...CREATE, amount: 100, app: 0 }),
    { ...CREATE, amount: 100 },
    { ...CREATE, amount: 100, app: 0 },
  ],
  [
    ...times(4, { ...CREATE, amount: 3000 }),
    PAY,
    { ...CREATE, amount: 3000, app: 0 },
    { ...CREATE, amount: 3000, app: 0 },
  ],
  [CREATE, ...times(5, DECLINED), DELIVER, CREATE, { do: 'pass', minutes: 61 }, CREATE],
  [
    { ...CREATE, app: 0 },
    PAY,
    { do: 'confirm', topup: 0, as: 'otherApp', isStale: false, fault: null },
    { do: 'confirm', topup: 0, as: 'own', isStale: false, fault: null },
  ],
  [
    { ...CREATE, app: 0 },
    { do: 'pass', minutes: 60 },
    { do: 'reset', person: 0 },
    { do: 'confirm', topup: 0, as: 'own', isStale: true, fault: null },
  ],
  [
    CREATE,
    PAY,
    { do: 'reset', person: 0 },
    { do: 'confirm', topup: 0, as: 'own', isStale: true, fault: null },
  ],
  // An inquiry becomes a dispute.
  [
    CREATE,
    PAY,
    DELIVER,
    { do: 'dispute', topup: 0, part: 'all', isInquiry: true },
    DELIVER,
    { do: 'resolve', topup: 0, outcome: 'escalated' },
    DELIVER,
  ],
  [CREATE, DEBIT, { do: 'delete', person: 0, fault: { position: 0, how: 'before' } }],
  [CREATE, DEBIT, { do: 'delete', person: 0, fault: null }],
  [CREATE, PAY, { do: 'reconcile', creditsMissing: true }],
  [
    CREATE,
    { ...PAY, card: 'asks', challenge: 'open' },
    { do: 'bankDecides', topup: 0, isPassed: true },
    DELIVER,
  ],
  [
    { ...CREATE, amount: 3000 },
    { ...DECLINED, isSlow: true },
    { do: 'bankDecides', topup: 0, isPassed: true },
  ],
  [
    CREATE,
    PAY,
    DELIVER,
    { do: 'refund', topup: 0, part: 'half', again: 'no', fault: null },
    { do: 'refund', topup: 0, part: 'half', again: 'changed', fault: null },
  ],
  [CREATE, PAY, { ...DELIVER, fault: { position: 0, how: 'before' } }, DELIVER],
  [
    CREATE,
    PAY,
    DELIVER,
    { do: 'refund', topup: 0, part: 'all', again: 'no', fault: null },
    { ...DELIVER, which: 'newest', times: 1, fault: { position: 5, how: 'before' } },
    DELIVER,
  ],
]
const script = fc.constantFrom(...SCRIPTS)

const OPTIONAL: Command['do'][] = [
  'widgetCard',
  'race',
  'sweep',
  'deliver',
  'confirm',
  'passMonth',
  'refund',
  'processorRefund',
  'dispute',
  'removeCard',
  'automatic',
  'reset',
  'freeze',
  'debit',
  'delete',
  'reconcile',
  'look',
]

export const plan: fc.Arbitrary<Plan> = fc.noBias(
  fc.record({
    freezesOnDispute: fc.boolean(),
    without: fc.subarray(OPTIONAL, { maxLength: 7 }),
    isOnePerson: fc.constantFrom(true, true, false),
    onlyApp: fc.constantFrom(undefined, undefined, null, null, 0),
    isUnlucky: fc.constantFrom(true, false, false, false),
    hasFaults: fc.constantFrom(true, true, false),
    savedCards: fc.array(
      fc.constantFrom<CardName>('visa', 'mastercard', 'asks', 'refundFails', 'pending'),
      { minLength: 1, maxLength: 2 },
    ),
    startsAutomatic: fc.boolean(),
    commands: fc
      .array(
        fc.oneof(
          { weight: 7, arbitrary: command.map((one) => [one]) },
          { weight: 1, arbitrary: script },
        ),
        {
          minLength: 1,
          maxLength: 50,
          size: 'max',
        },
      )
      .map((parts) => parts.flat()),
  }),
)

/** Each of the scripts, played alone. */
export const RARE: Plan[] = SCRIPTS.map((commands) => ({
  freezesOnDispute: false,
  without: [],
  isOnePerson: true,
  onlyApp: undefined,
  isUnlucky: false,
  hasFaults: true,
  savedCards: ['visa'],
  startsAutomatic: false,
  commands,
}))
