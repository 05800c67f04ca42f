import { many, run } from '../database/statement.ts'
import { ServiceError } from '../service-error.ts'
import { cancelTopup } from './cancel-topup.ts'
import { requestIntent } from './create-intent.ts'
import { endTopup, listOpenTopups, type Topup } from './queries.ts'
import type { TopupTools } from './topup-tools.ts'

/**
 * Cancels the open top-ups of somebody who deletes their account, so that no money arrives afterwards. A top-up that
 * is already paid stops the deletion.
 */
export async function endTopups(tools: TopupTools, userId: bigint): Promise<void> {
  for (const topup of await many(tools.db, listOpenTopups(userId))) {
    const intentId = topup.intentId ?? (await findIntent(tools, topup))
    const isCanceled = intentId === undefined || (await cancelTopup(tools, topup.id, intentId))
    if (!isCanceled) throw new ServiceError('ACCOUNT_NOT_EMPTY')
  }
}

/** undefined: its saved card was removed, so that it has no intent and cannot be paid. */
async function findIntent(tools: TopupTools, topup: Topup): Promise<string | undefined> {
  try {
    return (await requestIntent(tools, topup)).id
  } catch (error) {
    const isCardGone = error instanceof ServiceError && error.code === 'CARD_NOT_FOUND'
    if (!isCardGone) throw error
    await run(tools.db, endTopup(topup.id))
    return undefined
  }
}
