import type { Statement } from '../database/statement.ts'

/** The wallets of people who were deleted. */
export const LIST_WALLETS_OF_DELETED: Statement<bigint> = {
  text: `select u.wallet_id from directory.service_users u
    where not exists (select from directory.people p where p.service_user_id = u.id)`,
  read: (row: { wallet_id: bigint }) => row.wallet_id,
}
