import type { PlantedBug } from './planted-bug.ts'

export const RECEIVE_BUGS: readonly PlantedBug[] = [
  {
    name: 'a recorded webhook is accepted for days',
    file: 'sdk/webhook/verify-webhook.ts',
    find: 'if (ageSeconds > TOLERANCE_SECONDS) {',
    replace: 'if (ageSeconds > TOLERANCE_SECONDS * 1_000) {',
    test: 'sdk/webhook/verify-webhook.test.ts',
    title: 'allows a difference of five minutes in both directions',
  },
  {
    name: 'the time of a webhook is not part of its signature',
    file: 'sdk/webhook/sign-webhook.ts',
    find: 'encoder.encode(`${id}.${timestamp}.`)',
    replace: 'encoder.encode(`${id}.${timestamp && ""}.`)',
    test: 'sdk/webhook/verify-webhook.test.ts',
    title: 'accepts what the library of Standard Webhooks signs',
  },
  {
    name: 'only the first signature of a webhook is checked',
    file: 'sdk/webhook/verify-webhook.ts',
    find: ".split(' ', SIGNATURES_MAX)",
    replace: ".split(' ', SIGNATURES_MAX && 1)",
    test: 'sdk/webhook/verify-webhook.test.ts',
    title: 'accepts one of several signatures',
  },
  {
    name: 'an event of a webhook takes effect each time it arrives',
    file: 'example/store.ts',
    find: 'if (stored.changes === 1) act()',
    replace: 'if (stored.changes >= 0) act()',
    test: 'example/receive-webhook.test.ts',
    title: 'an event that arrives again, also after a restart of the shop, has no effect',
  },
  {
    name: 'listen skips the event of the webhook that it was sending when it was stopped',
    file: 'sdk/listen/forward-events.ts',
    find: 'if (signal.aborted) break',
    replace: '',
    test: 'sdk/listen/listen.test.ts',
    title: 'stops at once, also while it sends, and delivers that event in the next run',
  },
]
