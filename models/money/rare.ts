/** Plans with what rarely happens by chance. They are played first in every run. */
import type { SecretScope } from '@coffer/contract/endpoint'
import type { AmountChoice, Command, Intent, LimitChoice, Plan } from './commands.ts'
import { TYPES, type OwnKind, type Type } from './state.ts'

function intend(type: Type, value?: number, more: Partial<Intent> = {}): Intent {
  const amount: AmountChoice = value === undefined ? { of: 'none' } : { of: 'small', value }
  const about = { wallet: 0, user: 'live', target: 0, targetOf: 'open', again: null } as const
  const none = { isFinal: undefined, seconds: 3600, description: undefined, metadata: undefined }
  return { type, amount, ...about, ...none, repeats: 'new', ...more }
}

function send(type: Type, value?: number, more?: Partial<Intent>): Command {
  return { do: 'send', app: 0, intent: intend(type, value, more), isRestricted: false }
}

function postOwn(kind: OwnKind, amount: number): Command {
  return { do: 'post own', wallet: 0, kind, amount }
}

const LINK = { app: 0, wallet: 0 } as const
const COMPARE: Command = { do: 'compare' }
const PASS = { do: 'pass', hold: 0, hours: 1, isBefore: false, zone: 0 } as const

/** More than the balance, so that the wallet is in debt. */
const SEIZE = postOwn('seizure', 90)

/** Each kind of money that arrives, at a wallet in debt. */
const DEBTS: Command[][] = [
  [send('debit', 40), SEIZE, send('refund', 12), send('refund')],
  [send('hold', 40), SEIZE, send('capture', 5), postOwn('topup', 40)],
  [send('hold', 40), SEIZE, send('release', 12), send('release'), postOwn('reversal', 40)],
  [send('hold', 40), SEIZE, { ...PASS, to: 'hold' }, send('credit', 3), postOwn('bonus', 5)],
]

/** The last day of a week or month belongs to it, and the day after it to the next one. */
function useLimit(zone: number, week?: number, month?: number): Command[] {
  const maxes = [undefined, undefined, week, month]
  const limit: LimitChoice = { changes: 'all', maxes, lastDay: 'none', zone, isConfirmed: true }
  const pass = { ...PASS, to: week === undefined ? 'month' : 'week', zone } as const
  return [
    { do: 'limit', ...LINK, limit },
    send('debit', 30),
    { ...pass, isBefore: true },
    send('debit', 30),
    pass,
    send('debit', 30),
    send('hold', 30),
  ]
}

/** The app sees no balance after the link ended. */
const UNLINKED: Command[] = [
  send('debit', 20),
  send('hold', 20),
  send('hold', 20),
  { do: 'unlink', ...LINK },
  send('refund', 5),
  send('capture', 5, { isFinal: false }),
  send('release'),
  COMPARE,
]

/** Each operation with a secret that has one of the scopes, alone and in a batch. */
const RESTRICTED: Command[] = [
  send('debit', 10),
  send('hold', 20),
  send('hold', 20),
  ...TYPES.map((type): Command => ({
    do: 'send',
    app: 0,
    intent: intend(type, 1),
    isRestricted: true,
  })),
  { do: 'batch', app: 0, intents: TYPES.map((type) => intend(type, 1)), isRestricted: true },
]

function toPlan(commands: Command[], secretScopes: SecretScope[] = ['wallet:debit']): Plan {
  const app = { creditLimit: null, secretScopes }
  return {
    apps: [
      { onMismatch: 'replay', ...app },
      { onMismatch: 'conflict', ...app },
    ],
    pageSize: 3,
    isRich: false,
    // An odd one compares the sums of wallets at the end.
    reader: 1,
    focus: { types: [...TYPES], without: [], isOneWallet: true, isOneApp: true, limitOf: null },
    commands,
  }
}

export const RARE: Plan[] = [
  ...DEBTS.map((commands) => toPlan(commands)),
  toPlan(useLimit(0, 50)),
  toPlan(useLimit(3, undefined, 50)),
  toPlan(UNLINKED),
  { ...toPlan([send('credit', 140)]), isRich: true },
  ...(['debit', 'credit', 'refund', 'hold'] as const).map((scope) =>
    toPlan(RESTRICTED, [`wallet:${scope}`]),
  ),
]
