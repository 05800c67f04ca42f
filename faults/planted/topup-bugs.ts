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
  {
    name: 'the calls of the processor are counted per client app only',
    file: 'server/topup/limit-stripe-calls.ts',
    find: '(await throttles.mayPersonCallStripe(String(userId))) &&',
    replace: 'userId > 0n &&',
    test: 'server/topup/stripe-calls.test.ts',
    title: '429 RATE_LIMITED for a person, however many sessions they have',
  },
  {
    name: 'a confirm gets the state of the payment from before its request',
    file: 'server/topup/join-calls.ts',
    find: 'waiting.get(key) ?? current.then(startNext, startNext)',
    replace: 'waiting.get(key) ?? (current || startNext())',
    test: 'server/topup/join-calls.test.ts',
    title: 'shares the next call between all that arrive during one',
  },
  {
    name: 'failed payments are counted for each top-up alone',
    file: 'server/topup/failure-queries.ts',
    find: 'having sum(failures) >= $2',
    replace: 'having max(failures) >= $2',
    test: 'server/topup/card-testing.test.ts',
    title: 'counts the failures of all top-ups of a person',
  },
]
