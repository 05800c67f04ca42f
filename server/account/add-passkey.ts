import type * as endpoints from '@coffer/contract/account/passkeys'
import { PASSKEYS_MAX } from '@coffer/contract/limits'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { many, one, run } from '../database/statement.ts'
import {
  createPasskeyChallenge,
  takePasskeyChallenge,
  type PasskeyCeremony,
} from '../identity/passkeys/create-challenge.ts'
import { listCredentials } from '../identity/passkeys/list-credentials.ts'
import { handleOf } from '../identity/passkeys/log-in-by-passkey.ts'
import { insertPasskey, listOwnPasskeys, PEOPLE } from '../identity/passkeys/queries.ts'
import { lockPerson } from '../identity/queries.ts'
import { ALGORITHMS, verifyRegistration } from '../identity/passkeys/verify-passkey.ts'
import { issueWarningLink } from '../identity/warning-link.ts'
import { chooseMails } from '../mail/choose-mails.ts'
import { ServiceError } from '../service-error.ts'
import { findLogInById, type LoggedIn } from './log-in-queries.ts'

/** The caller has checked the password. The challenge proves it: it is valid only in this login. */
export async function beginPasskey(
  { db }: Pick<Context, 'db'>,
  ceremony: PasskeyCeremony,
  { userId, email, firstName, lastName }: LoggedIn,
): Promise<z.output<typeof endpoints.beginAccountPasskey.response>> {
  const excluded = await listCredentials(db, PEOPLE, userId)
  if (excluded.length >= PASSKEYS_MAX) throw new ServiceError('PASSKEY_LIMIT')
  return {
    ...(await createPasskeyChallenge(db, ceremony)),
    user: { id: handleOf(userId), name: email, displayName: `${firstName} ${lastName}` },
    algorithms: ALGORITHMS,
    excluded,
  }
}

export async function addPasskey(
  { db, mailer, config }: Pick<Context, 'db' | 'mailer' | 'config'>,
  ceremony: PasskeyCeremony,
  { userId, logInId, email, language }: LoggedIn,
  { name, passkey }: z.output<typeof endpoints.addAccountPasskey.input>,
): Promise<void> {
  const challenge = await takePasskeyChallenge(db, ceremony, passkey)
  const registered = await verifyRegistration(ceremony.party, challenge, passkey)
  if (registered === undefined) throw new ServiceError('PASSKEY_INVALID')
  const transports = passkey.response.transports ?? []
  await inTransaction(db, async (tx) => {
    const person = await one(tx, lockPerson(userId))
    // A reset in the meantime wins: it ended this login and removed all passkeys.
    const isLoggedIn = (await run(tx, findLogInById(logInId))) === 1
    if (person === undefined || !isLoggedIn) throw new ServiceError('LOGIN_REQUIRED')
    const passkeys = await many(tx, listOwnPasskeys(userId))
    if (passkeys.length >= PASSKEYS_MAX) throw new ServiceError('PASSKEY_LIMIT')
    const newPasskey = { ...registered, ownerId: userId, transports, name }
    const added = await run(tx, insertPasskey(PEOPLE, newPasskey))
    if (added !== 1) throw new ServiceError('PASSKEY_INVALID')
  })
  // Not rate-limited: otherwise an attacker could suppress this notice.
  if (mailer === undefined) return
  const warningLink = await issueWarningLink({ db, config }, { userId, email })
  mailer.send(email, chooseMails(language).passkeyAdded(name, warningLink))
}
