import type { PlantedBug } from './planted-bug.ts'

/** What keeps strangers from locking accounts, and intruders from surviving a reset. */
export const LOCKOUT_BUGS: readonly PlantedBug[] = [
  {
    name: 'a stranger makes the owner of an account wait',
    file: 'server/identity/throttle-queries.ts',
    find: 'return scope === undefined ? kind : `${kind} ${scope}`',
    replace: 'return scope === undefined ? kind : `${kind}`',
    test: 'server/log-in-lockout.test.ts',
    title: 'do not make the owner wait in another network',
  },
  {
    name: 'a known browser is recognized for every account',
    file: 'server/identity/recognize-device.ts',
    find: '`coffer device ${kind} ${device} ${email.toLowerCase()}`',
    replace: '`coffer device ${kind} ${device} ${email.length > 0}`',
    test: 'server/log-in-lockout.test.ts',
    title: 'gain nothing from the cookie of another account',
  },
  {
    name: 'a flood is served before the people who wait',
    file: 'server/identity/queue-fairly.ts',
    find: 'each.rank < best.rank',
    replace: 'each.rank > best.rank',
    test: 'server/identity/queue-fairly.test.ts',
    title: 'serves a network that has not used it before one that floods it',
  },
  {
    name: 'each address of an IPv6 network has its own limit',
    file: 'server/http/read-address.ts',
    find: 'const NETWORK_GROUPS = 4',
    replace: 'const NETWORK_GROUPS = 8',
    test: 'server/log-in-lockout.test.ts',
    title: '429 RATE_LIMITED above the limit of logins a minute from a /64',
  },
  {
    name: 'logins without a lease are never paid for',
    file: 'server/http/share-rate-limit.ts',
    find: '      entry.spent = 1\n',
    replace: '',
    test: 'server/http/share-rate-limit.test.ts',
    title: 'the free call counts',
  },
  {
    name: 'an old password that was checked before a reset still starts a login',
    file: 'server/account/log-in-queries.ts',
    find: 'where service_user_id = $2 and password_hash = $5 for share',
    replace: 'where service_user_id = $2 and $5::text is not null for share',
    test: 'server/identity/reset-password.test.ts',
    title: 'lets nobody continue whose old password was checked right before it',
  },
  {
    name: 'a linked app needs no consent after a reset',
    file: 'server/identity/take-next-step.ts',
    find: 'if (found?.isAgreed) {',
    replace: 'if (found) {',
    test: 'server/identity/reset-password.test.ts',
    title: 'requests consent again at an app that was linked before',
  },
]
