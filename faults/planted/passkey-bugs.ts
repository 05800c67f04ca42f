import type { PlantedBug } from './planted-bug.ts'

export const PASSKEY_BUGS: readonly PlantedBug[] = [
  {
    name: 'a passkey in a frame is accepted on a page that is not reported',
    file: 'server/identity/passkeys/verify-passkey.ts',
    find: 'return crossOrigin === true && topOrigins.some((origin) => origin === topOrigin)',
    replace: 'return crossOrigin === true',
    test: 'server/widget/passkey-log-in.test.ts',
    title: '400 PASSKEY_INVALID unless the page around the frame may embed the widget of this app',
  },
  {
    name: 'a reset of the password keeps the passkeys of an intruder',
    file: 'server/identity/end-access.ts',
    find: '  await run(tx, deletePasskeysOf(userId))\n',
    replace: '',
    test: 'server/account/passkey-log-in.test.ts',
    title:
      'a reset of the password by email, and no login that was started at the same moment survives',
  },
  {
    name: 'a copy of a passkey is accepted',
    file: 'server/identity/passkeys/queries.ts',
    find: 'where id = $1 and (sign_count < $2 or (sign_count = 0 and $2 = 0)) returning id',
    replace: 'where id = $1 and $2 >= 0 returning id',
    test: 'server/account/passkey-log-in.test.ts',
    title: '400 PASSKEY_INVALID when the signature counter does not increase',
  },
  {
    name: 'a challenge of another login is enough to add a passkey',
    file: 'server/identity/passkeys/queries.ts',
    find: 'and purpose = $2 and log_in_id is not distinct from $3::uuid',
    replace: 'and purpose = $2 and ($3::uuid is null or true)',
    test: 'server/account/passkeys.test.ts',
    title: '400 PASSKEY_INVALID without the password',
  },
  {
    name: 'a passkey logs in whoever the response names',
    file: 'server/identity/passkeys/log-in-by-passkey.ts',
    find: 'passkey === undefined || signed.response.userHandle !== handleOf(passkey.userId)',
    replace: 'passkey === undefined',
    test: 'server/account/passkey-log-in.test.ts',
    title:
      '400 PASSKEY_INVALID for another key, an unknown passkey, and the passkey of another person',
  },
]
