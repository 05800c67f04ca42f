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
    find: '(await throttles.mayPersonCallStripe(`${userId} ${app}`)) &&',
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
  {
    name: 'a payment whose intent was created after the period is reported as missing',
    file: 'server/topup/reconcile.ts',
    find: `      listed.get(intentId) ??
      (await tools.processor.stripe.paymentIntents.retrieve(intentId).catch(() => undefined))`,
    replace: '      listed.get(intentId)',
    test: 'server/topup/reconcile.test.ts',
    title: 'looks up the payment of a top-up whose intent was created after the period',
  },
  {
    name: 'an older response of the processor marks a returned refund as sent',
    file: 'server/topup/refund-queries.ts',
    find: `do update set status = excluded.status where r.status = 'sent'\``,
    replace: 'do update set status = excluded.status`',
    test: 'server/topup/foreign-refunds.test.ts',
    title: 'stays released if a response from before it failed arrives last',
  },
  {
    name: 'card testing goes on after a top-up without a payment intent',
    file: 'server/topup/stop-card-testing.ts',
    find: '    if (open === null) continue',
    replace: '    if (open === null) return',
    test: 'server/topup/card-testing.test.ts',
    title: 'ends all that are open, also after one without a payment intent',
  },
  {
    name: 'a rate limit of the processor does not count as a failed call',
    file: 'server/processor/stripe.ts',
    find: `observe(status < 500 && status !== 429 ? 'refused' : 'failed')`,
    replace: `observe(status < 500 ? 'refused' : 'failed')`,
    test: 'server/http/dependency-metrics.test.ts',
    title:
      'count calls to the card processor: accepted, refused, refused by a rate limit, and without a response',
  },
  {
    name: 'an account is deleted while the processor may still refuse a refund',
    file: 'server/account/queries.ts',
    find: `(t.status = 'open'
      or exists (select from directory.refunds r where r.topup_id = t.id and r.status = 'reserved')) limit 1`,
    replace: `t.status = 'open' limit 1`,
    test: 'server/account/delete-account.alone.test.ts',
    title: '409 ACCOUNT_NOT_EMPTY while the processor may still refuse a refund',
  },
  {
    name: 'a top-up is paid although the held money makes it exceed the largest balance',
    file: 'server/topup/create-intent.ts',
    find: 'wallet.balance + wallet.held + amountMinor',
    replace: 'wallet.balance + amountMinor',
    test: 'server/topup/create-intent.test.ts',
    title:
      '400 INVALID_AMOUNT if the wallet would exceed the largest balance, also with what is held',
  },
]
