import { many } from '../database/statement.ts'
import { ServiceError } from '../service-error.ts'
import { cancelTopup } from './cancel-topup.ts'
import { requestIntent } from './create-intent.ts'
import { listOpenTopups } from './queries.ts'
import type { TopupTools } from './topup-tools.ts'

/**
 * Cancels the open top-ups of somebody who deletes their account, so that no money arrives afterwards. A top-up that
 * is already paid stops the deletion.
 */
export async function endTopups(tools: TopupTools, userId: bigint): Promise<void> {
  for (const topup of await many(tools.db, listOpenTopups(userId))) {
    const intentId = topup.intentId ?? (await requestIntent(tools, topup)).id
    const isCanceled = await cancelTopup(tools, topup.id, intentId)
    if (!isCanceled) throw new ServiceError('ACCOUNT_NOT_EMPTY')
  }
}
