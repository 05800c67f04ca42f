/** Changes of the ledger's tables that the service's role may not make, and what each verifier finds. */
import { CONSISTENT_TAMPERINGS } from './consistent-tamperings.ts'
import { HOLD_TAMPERINGS } from './hold-tamperings.ts'
import { REFUND_TAMPERINGS } from './refund-tamperings.ts'
import { SPEND_TAMPERINGS } from './spend-tamperings.ts'
import type { Tampering } from './tamper.ts'

const OLD = 'wallet_id = A and seq = 3'
const NEW = 'wallet_id = A and seq = 10'
const TRUSTED = 'operations before the checkpoint are trusted'
const NEEDS_ALL = 'it needs all operations or all keys, and this mode reads only new ones'
const WRONG_KEY = 'the key of its reference is missing or refers to another operation'

function changeOperation(column: string, change: string): Tampering[] {
  const set = `update ledger.operations set ${column} = ${change} where`
  const fault = (seq: number) => `wallet A, operation ${seq}: the hash does not match the row`
  return [
    {
      name: `${column} of a new operation`,
      column: `operations.${column}`,
      change: `${set} ${NEW}`,
      fault: fault(10),
    },
    {
      name: `${column} of an old operation`,
      change: `${set} ${OLD}`,
      fault: fault(3),
      incremental: [undefined, TRUSTED],
    },
  ]
}

function changeKey(column: string, change: string): Tampering[] {
  return [
    {
      name: `${column} of the key of a new operation`,
      column: `operation_keys.${column}`,
      change: `update ledger.operation_keys set ${change} where ${NEW}`,
      fault: `wallet A, operation 10: ${WRONG_KEY}`,
    },
    {
      name: `${column} of the key of an old operation`,
      change: `update ledger.operation_keys set ${change} where ${OLD}`,
      fault: `wallet A, operation 3: ${WRONG_KEY}`,
      incremental: [undefined, TRUSTED],
    },
  ]
}

function changeOutcome(column: string, change: string): Tampering[] {
  const fault = 'the outcome in the key of its reference is different'
  return changeKey(column, `${column} = ${change}`).map((each) => ({
    ...each,
    fault: each.fault?.replace(WRONG_KEY, fault),
  }))
}

const OPERATIONS: Tampering[] = [
  ...changeOperation('hash', 'set_byte(hash, 31, get_byte(hash, 31) # 1)'),
  ...changeOperation('amount', 'amount + 1'),
  ...changeOperation('balance_after', 'balance_after + 1'),
  ...changeOperation('debt_change', 'coalesce(debt_change, 0) + 1'),
  ...changeOperation('debt_after', 'coalesce(debt_after, 0) + 1'),
  ...changeOperation('held_change', '1'),
  ...changeOperation('held_after', '1'),
  ...changeOperation('counter_account', '3'),
  ...changeOperation('created_at', `created_at + interval '1 ms'`),
  ...changeOperation('kind', `'correction_in'`),
  ...changeOperation('reference_type', `'OTHER'`),
  ...changeOperation('reference_id', `'other'`),
  {
    name: 'a new operation gets another number',
    column: 'operations.seq',
    change: `update ledger.operations set seq = 99 where ${NEW}`,
    fault: 'wallet A, operation 10: the row is missing',
  },
  {
    name: 'a new operation moves to another wallet',
    column: 'operations.wallet_id',
    change: `update ledger.operations set wallet_id = B where ${NEW}`,
    fault: 'wallet A, operation 10: the row is missing',
  },
  {
    name: 'a counter_account that differs only above 32 bits, which the hash does not cover',
    change: `update ledger.operations set counter_account = counter_account + 4294967296 where ${NEW}`,
    fault: 'wallet A, operation 10: the hash does not match the row',
  },
  {
    name: 'an amount that a float cannot represent',
    change: `update ledger.operations set amount = 9007199254740993 where ${NEW}`,
    fault: 'wallet A, operation 10: the hash does not match the row',
  },
  {
    name: 'a description is erased',
    column: 'operations.description',
    change: `update ledger.operations set description = null`,
    fault: undefined,
  },
  ...[3, 10, 11].map((seq) => ({
    name: `operation ${seq} is deleted`,
    change: `delete from ledger.operations where wallet_id = A and seq = ${seq}`,
    fault: `wallet A, operation ${seq}: the row is missing`,
    ...(seq === 3 && { incremental: [undefined, TRUSTED] as [undefined, string] }),
  })),
]

const KEYS: Tampering[] = [
  ...changeKey('digest', 'digest = gen_random_uuid()'),
  ...changeKey('wallet_id', 'wallet_id = B'),
  ...changeKey('seq', 'seq = 1'),
  ...changeKey('decided_at', `decided_at = decided_at + interval '1 ms'`),
  ...changeKey('refusal', `refusal = 'WALLET_INACTIVE', balance_after = null`),
  ...changeOutcome('kind', `'correction_in'`),
  ...changeOutcome('amount', 'amount + 1'),
  ...changeOutcome('balance_after', 'balance_after + 1'),
  ...[3, 10].map((seq) => ({
    name: `the key of operation ${seq} is deleted`,
    change: `delete from ledger.operation_keys where wallet_id = A and seq = ${seq}`,
    fault: `wallet A, operation ${seq}: ${WRONG_KEY}`,
    ...(seq === 3 && { incremental: [undefined, TRUSTED] as [undefined, string] }),
  })),
  {
    name: 'two keys exchange their operations',
    change: `update ledger.operation_keys k set seq = other.seq, decided_at = other.decided_at
      from ledger.operation_keys other
      where k.wallet_id = A and other.wallet_id = A and k.seq in (10, 11) and other.seq = 21 - k.seq`,
    fault: `wallet A, operation 10: ${WRONG_KEY}`,
  },
  {
    name: 'a key without an operation',
    change: `insert into ledger.operation_keys (digest, wallet_id, seq, decided_at, kind, amount, balance_after)
      values (gen_random_uuid(), A, 99, now(), 'debit', 1, 0)`,
    fault: 'wallet A, operation 99: the row is missing, its key is still there',
    incremental: [undefined, NEEDS_ALL],
  },
]

const WALLETS: Tampering[] = [
  ...(['A', 'B'] as const).flatMap((id): Tampering[] => {
    const sums = { A: { balance: 0, debt: 19_800 }, B: { balance: 500, debt: 0 } }[id]
    const set = (change: string) => `update ledger.wallets set ${change} where id = ${id}`
    return [
      {
        name: `balance of wallet ${id}`,
        column: 'wallets.balance',
        change: set('balance = balance + 1'),
        fault: `wallet ${id}: the balance is ${sums.balance + 1}, its operations add up to ${sums.balance}`,
      },
      {
        name: `debt of wallet ${id}`,
        column: 'wallets.debt',
        change: set('debt = debt + 1'),
        fault: `wallet ${id}: the debt is ${sums.debt + 1}, its operations add up to ${sums.debt}`,
      },
      {
        name: `head of wallet ${id}`,
        column: 'wallets.head_hash',
        change: set(`head_hash = sha256('x')`),
        fault: `wallet ${id}: the head hash differs from its last operation's`,
      },
      {
        name: `higher counter of wallet ${id}`,
        column: 'wallets.seq',
        change: set('seq = seq + 1'),
        fault: `wallet ${id}, operation ${{ A: 12, B: 2 }[id]}: the row is missing`,
      },
    ]
  }),
  {
    name: 'a counter lower by one',
    change: 'update ledger.wallets set seq = seq - 1 where id = A',
    fault: `wallet A, operation 11: the wallet's counter does not include this operation`,
  },
  {
    name: 'a counter below the checkpoint',
    change: 'update ledger.wallets set seq = 3 where id = A',
    fault: `wallet A, operation 4: the wallet's counter does not include this operation`,
    checked: [
      'wallet A, operation 4: newer operations are missing, the checkpoint has 8',
      'the checkpoint is compared first',
    ],
  },
  {
    name: 'a wallet is deleted, its operations stay',
    change: 'delete from ledger.wallets where id = B',
    fault: 'wallet B, operation 1: the wallet is missing',
    checked: ['wallet B: the wallet is missing', 'the checkpoint names the wallet'],
  },
  {
    name: 'a wallet newer than the checkpoint is deleted, its operations stay',
    change: 'delete from ledger.wallets where id = C',
    fault: 'wallet C, operation 1: the wallet is missing',
    incremental: [undefined, NEEDS_ALL],
  },
]

const ACCOUNTS: Tampering[] = [
  {
    name: 'running balance of an account',
    column: 'accounts.balance',
    change: 'update ledger.accounts set balance = balance + 1 where id = L',
    fault: 'account L: the balance is 201, its operations add up to 200',
    incremental: [undefined, NEEDS_ALL],
  },
  {
    name: 'running balance of an account without operations',
    change: 'update ledger.accounts set balance = balance + 1 where id = I',
    fault: 'account I: the balance is 1, its operations add up to 0',
    incremental: [undefined, NEEDS_ALL],
  },
]

export const TAMPERINGS: readonly Tampering[] = [
  ...OPERATIONS,
  ...KEYS,
  ...WALLETS,
  ...ACCOUNTS,
  ...CONSISTENT_TAMPERINGS,
  ...REFUND_TAMPERINGS,
  ...HOLD_TAMPERINGS,
  ...SPEND_TAMPERINGS,
]
