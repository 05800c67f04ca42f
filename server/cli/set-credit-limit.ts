/** `coffer client-app set-credit-limit`: every change of a limit, also from and to unlimited. */
import { formatAmount, parseAmount } from '@coffer/contract/money'
import { InvalidArgumentError } from 'commander'
import type pg from 'pg'
import { formatLimit } from '../admin/describe-limit.ts'
import { recordAction } from '../admin/record-action.ts'
import { findClientApps } from '../client-app/queries.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { one } from '../database/statement.ts'
import { changeCreditLimit } from '../ledger/change-credit-limit.ts'
import { addCreditLimit } from '../ledger/add-credit-limit.ts'
import { COMMAND_LINE } from './operator.ts'
import { print, withMoney, type Tools } from './with-service.ts'

const NOT_CHANGED =
  'Nothing changed: the client app owes more than this limit, or its limit was changed at the same time.'

interface LimitChange {
  ledgerAccount: number
  /** null: unlimited. */
  from: bigint | null
  to: bigint | null
  record: (tx: pg.ClientBase) => Promise<void>
}

export function setCreditLimit(clientId: string, text: string): Promise<void> {
  return withMoney(async (tools) => {
    const { currency } = tools.config
    const to = text === 'unlimited' ? null : parseAmount(text, currency)
    if (to === undefined) {
      throw new InvalidArgumentError('The limit must be an amount such as 1000, or unlimited.')
    }
    const app = (await one(tools.db, findClientApps([clientId])))?.app
    if (app === undefined) throw new Error(`Client app ${clientId} not found.`)
    const from = (await tools.ledger.readAccount(app.ledgerAccount))?.creditLimit ?? null
    const limit = formatLimit(to, currency)
    if (from === to) return print(`The credit limit of ${clientId} is already ${limit}.`)
    const before = { creditLimit: formatLimit(from, currency) }
    const action = { action: 'client_app.credit_limit', subject: clientId, before } as const
    const record = (tx: pg.ClientBase) =>
      recordAction(tx, COMMAND_LINE, { ...action, after: { creditLimit: limit } })
    await change(tools, { ledgerAccount: app.ledgerAccount, from, to, record })
    const balance = (await tools.ledger.readAccount(app.ledgerAccount))?.balance ?? null
    const now = balance === null ? '' : ` Its balance is ${formatAmount(balance, currency)}.`
    print(`The credit limit of ${clientId} is ${limit}.${now}`)
  })
}

async function change({ db }: Tools, { ledgerAccount, from, to, record }: LimitChange) {
  if (from !== null) {
    return inTransaction(db, async (tx) => {
      await record(tx)
      if (!(await changeCreditLimit(tx, ledgerAccount, { from, to }))) throw new Error(NOT_CHANGED)
    })
  }
  const client = await db.connect()
  try {
    const balance = await addCreditLimit(client, ledgerAccount, to ?? 0n, { record })
    if (balance === undefined) throw new Error(NOT_CHANGED)
  } finally {
    // Also ends its lock and a transaction that failed.
    client.release(true)
  }
}
