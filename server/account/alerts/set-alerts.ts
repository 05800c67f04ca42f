import type { setAlerts as endpoint } from '@coffer/contract/account/alerts'
import { BALANCE_MAX_MINOR, parseAmount, toWireNumber, type Currency } from '@coffer/contract/money'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { many, run } from '../../database/statement.ts'
import { InvalidRequest } from '../../service-error.ts'
import { deleteAlert, listAlerts, saveAlert, type AlertKind } from './queries.ts'

type Input = (typeof endpoint)['input']['_zod']['output']
type Field = keyof Input

const FIELDS: readonly (readonly [AlertKind, Field])[] = [
  ['payment', 'paymentMin'],
  ['balance', 'balanceMin'],
]

export async function readAlerts({ db, config }: Context, userId: bigint) {
  const alerts = await many(db, listAlerts(userId))
  const show = (kind: AlertKind) => {
    const alert = alerts.find((each) => each.kind === kind)
    return alert ? toWireNumber(alert.thresholdMinor, config.currency) : null
  }
  return { paymentMin: show('payment'), balanceMin: show('balance') }
}

/** An amount that stays the same changes nothing, so that saving both loses no email. */
export async function setAlerts(
  { db, config }: Context,
  userId: bigint,
  input: Input,
): Promise<void> {
  const thresholds = FIELDS.map(
    ([kind, field]) => [kind, readThreshold(input, field, config.currency)] as const,
  )
  await inTransaction(db, async (tx) => {
    for (const [kind, threshold] of thresholds) {
      await run(
        tx,
        threshold === undefined ? deleteAlert(userId, kind) : saveAlert(userId, kind, threshold),
      )
    }
  })
}

function readThreshold(input: Input, field: Field, currency: Currency): bigint | undefined {
  const given = input[field]
  if (given === undefined) return undefined
  const amount = parseAmount(given, currency)
  if (amount && amount <= BALANCE_MAX_MINOR) return amount
  throw new InvalidRequest(`The field ${field} must be an amount such as 19.99.`, field)
}
