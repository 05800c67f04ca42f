import type { refundTopup as endpoint } from '@coffer/contract/admin/topups'
import type { ErrorCode } from '@coffer/contract/errors'
import { formatAmount, parseAmount } from '@coffer/contract/money'
import type pg from 'pg'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../service-error.ts'
import { refundTopup as refund } from '../../topup/refund-topup.ts'
import type { AdminCall } from '../access.ts'
import { refundableOf } from './read-topup.ts'
import { findRefund, findTopup, type RefundRow, type TopupRow } from './queries.ts'

/** Nobody knows by these what became of it. */
const UNCERTAIN: ReadonlySet<ErrorCode> = new Set([
  'PAYMENT_PROVIDER_ERROR',
  'SERVICE_UNAVAILABLE',
  'OUTCOME_UNKNOWN',
])

type Input = z.output<typeof endpoint.input>

/** Once it has begun, it goes on whatever happens here; so what is told then is how far it is. */
export async function refundTopup(
  context: Context,
  { record }: Pick<AdminCall, 'record'>,
  { refundId, topupId, amount, reason }: Input,
): Promise<{ state: RefundRow['status'] }> {
  const { db, processor, config } = context
  if (processor === undefined) throw new ServiceError('PAYMENT_PROVIDER_ERROR')
  const amountMinor = parseAmount(amount, config.currency)
  if (!amountMinor) throw new ServiceError('INVALID_AMOUNT')
  const topup = await requireTopup(db, topupId)
  if (topup.status !== 'credited') throw new ServiceError('INVALID_AMOUNT')
  const options = {
    id: refundId,
    reason,
    alongside: async (tx: pg.ClientBase) => {
      const left = refundableOf(await requireTopup(tx, topupId))
      const toText = (minor: bigint) => formatAmount(minor, config.currency)
      await record(tx, {
        action: 'topup.refund',
        subject: topupId,
        before: { refundable: toText(left + amountMinor) },
        after: { refundable: toText(left), refundId, amount: toText(amountMinor), reason },
      })
    },
  }
  try {
    const { status } = await refund({ ...context, processor }, topupId, amountMinor, options)
    return { state: status }
  } catch (error) {
    if (error instanceof ServiceError && !UNCERTAIN.has(error.code)) throw error
    const [begun] = (await db.query<RefundRow>(findRefund(refundId))).rows
    if (begun === undefined) throw error
    return { state: begun.status }
  }
}

async function requireTopup(db: pg.Pool | pg.ClientBase, topupId: string): Promise<TopupRow> {
  const { rows } = await db.query<TopupRow>(findTopup(topupId))
  if (rows[0] === undefined) throw new ServiceError('NOT_FOUND')
  return rows[0]
}
