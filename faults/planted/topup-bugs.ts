import type { PlantedBug } from './planted-bug.ts'

/** Refunds of top-ups, and what keeps people and client apps from abusing the card processor. */
export const TOPUP_BUGS: readonly PlantedBug[] = [
  {
    name: 'a refund is sent although the wallet got its money back',
    file: 'server/topup/refund-topup.ts',
    find: '  if (await isReleased(tools, refund)) {',
    replace: "  if (refund.status === 'released') {",
    test: 'server/topup/finish-refunds.test.ts',
    title: 'are not sent after the wallet got its money back',
  },
  {
    name: 'a refund at the processor counts as a refund that the ledger refused',
    file: 'server/topup/settle-refunds.ts',
    find: "stripeId === null ? status === 'reserved' : stripeId === id",
    replace: 'stripeId === null ? status.length > 0 : stripeId === id',
    test: 'server/topup/foreign-refunds.test.ts',
    title: 'is debited if the ledger refused ours',
  },
]
