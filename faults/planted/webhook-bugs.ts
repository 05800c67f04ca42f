import type { PlantedBug } from './planted-bug.ts'

export const WEBHOOK_BUGS: readonly PlantedBug[] = [
  {
    name: 'the addresses of a webhook are checked only when it is entered',
    file: 'server/webhooks/check-target.ts',
    find: 'callbackify((name: string) => resolvePublic(name, rules))',
    replace: 'callbackify((name: string) => rules.resolve(name))',
    test: 'server/webhooks/check-target.test.ts',
    title: 'a name that changes its address is not reached',
  },
  {
    name: 'an IPv4 address inside an IPv6 address counts as public',
    file: 'server/webhooks/check-target.ts',
    find: 'const parsed = ipaddr.parse(address)',
    replace: 'const parsed = ipaddr.process(address)',
    test: 'server/webhooks/check-target.test.ts',
    title: 'is refused with a reason, when it is entered and when a request is sent',
  },
  {
    name: 'only the first address of a name is checked',
    file: 'server/webhooks/check-target.ts',
    find: 'for (const { address } of addresses) checkAddress',
    replace: 'for (const { address } of addresses.slice(0, 1)) checkAddress',
    test: 'server/webhooks/check-target.test.ts',
    title: 'is refused with a reason, when it is entered and when a request is sent',
  },
  {
    name: 'events are sent to webhooks before the standby has them',
    file: 'server/webhooks/deliver.ts',
    find: '    const webhooks = await many(tx, leaseWebhooks(lease, false',
    replace:
      "    await tx.query('set local synchronous_commit = local')\n    const webhooks = await many(tx, leaseWebhooks(lease, false",
    test: 'server/events/standby.test.ts',
    title: 'report no event that the standby may not have',
  },
  {
    name: 'two processes send to the same webhook at once',
    file: 'server/webhooks/delivery-queries.ts',
    find: 'const LEASE_SECONDS = 60',
    replace: 'const LEASE_SECONDS = 0',
    test: 'server/webhooks/deliver.test.ts',
    title: 'is sent by one of several processes, once',
  },
  {
    name: 'the end of an attempt cancels an event that is queued again',
    file: 'server/webhooks/delivery-queries.ts',
    find: `next_attempt_at = case when r.due_at = d.next_attempt_at
          then`,
    replace: `next_attempt_at = case when d.next_attempt_at is not null
          then`,
    test: 'server/webhooks/deliver.test.ts',
    title: 'is sent again if that is asked for while the first attempt goes on',
  },
  {
    name: 'the old secret of a webhook does not sign during the overlap',
    file: 'server/webhooks/seal-secret.ts',
    find: 'const sealed = previous ? [current, previous] : [current]',
    replace: 'const sealed = previous ? [current] : [current]',
    test: 'server/webhooks/deliver.test.ts',
    title: 'is signed with both secrets while they overlap',
  },
  {
    name: 'a webhook that fails gets many requests at once',
    file: 'server/webhooks/delivery-queries.ts',
    find: '(isFailing ? 1 : AT_ONCE)',
    replace: '(isFailing ? AT_ONCE : AT_ONCE)',
    test: 'server/webhooks/deliver.test.ts',
    title: 'is the only one at a time while the webhook fails',
  },
  {
    name: 'the webhook of another app is found',
    file: 'server/webhooks/queries.ts',
    find: 'where w.client_app_id = $1 and w.id = $2 and w.deleted_at is null',
    replace: 'where $1::bigint is not null and w.id = $2 and w.deleted_at is null',
    test: 'server/admin/webhooks/webhooks.test.ts',
    title: '404 NOT_FOUND for an unknown webhook and one of another app',
  },
  {
    name: 'a response without an end is read completely',
    file: 'server/webhooks/send-request.ts',
    find: 'if (bytes > READ_MAX_BYTES) break',
    replace: 'if (bytes > READ_MAX_BYTES) continue',
    test: 'server/webhooks/send-request.test.ts',
    title: 'stops reading a response that does not end, and keeps its first kilobyte',
  },
]
