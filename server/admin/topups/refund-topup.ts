import type { refundTopup as endpoint } from '@coffer/contract/admin/topups'
import type { ErrorCode } from '@coffer/contract/errors'
import { formatAmount } from '@coffer/contract/money'
import type pg from 'pg'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { one, type Database } from '../../database/statement.ts'
import { readAmount } from '../../read-amount.ts'
import { InvalidAmount, ServiceError } from '../../service-error.ts'
import { refundTopup as refund } from '../../topup/refund-topup.ts'
import type { AdminCall } from '../access.ts'
import { refundableOf } from './read-topup.ts'
import { findRefund, findTopup, type Refund, type Topup } from './queries.ts'

/** After these errors it is unknown whether the refund was made. */
const UNCERTAIN: ReadonlySet<ErrorCode> = new Set([
  'PAYMENT_PROVIDER_ERROR',
  'SERVICE_UNAVAILABLE',
  'OUTCOME_UNKNOWN',
])

type Input = z.output<typeof endpoint.input>

/**
 * Once started, a refund continues even if this request fails, so the response contains its current state. The audit
 * entry is written in the transaction that starts it, before money moves; if no money is refunded, a second entry says so.
 */
export async function refundTopup(
  context: Context,
  { record }: Pick<AdminCall, 'record'>,
  { refundId, topupId, amount, reason }: Input,
): Promise<{ state: Refund['status'] }> {
  const { db, processor, config } = context
  if (processor === undefined) throw new ServiceError('PAYMENT_PROVIDER_ERROR')
  const amountMinor = readAmount('amount', amount, config.currency)
  const topup = await requireTopup(db, topupId)
  if (topup.status !== 'credited') {
    throw new InvalidAmount('amount', 'The top-up is not credited, so there is nothing to refund.')
  }
  let isNew = false
  const options = {
    id: refundId,
    reason,
    onStart: async (tx: pg.ClientBase) => {
      isNew = true
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
  const finish = async (state: Refund['status']) => {
    const hasFailed = state === 'refused' || state === 'released'
    const after = { refundId, state }
    if (isNew && hasFailed) {
      await record(db, { action: 'topup.refund_failed', subject: topupId, after })
    }
    return { state }
  }
  try {
    const { status } = await refund({ ...context, processor }, topupId, amountMinor, options)
    return await finish(status)
  } catch (error) {
    const isRefused = error instanceof ServiceError && !UNCERTAIN.has(error.code)
    if (isRefused) await finish('refused')
    const started = isRefused ? undefined : await one(db, findRefund(refundId))
    if (started === undefined) throw error
    return finish(started.status)
  }
}

async function requireTopup(db: Database, topupId: string): Promise<Topup> {
  const topup = await one(db, findTopup(topupId))
  if (topup === undefined) throw new ServiceError('NOT_FOUND')
  return topup
}
