import type { createClientApp as endpoint } from '@coffer/contract/admin/client-apps'
import type pg from 'pg'
import type { z } from 'zod'
import { createClientApp as create } from '../../client-app/create-client-app.ts'
import type { Context } from '../../context.ts'
import { run } from '../../database/statement.ts'
import { readAmountOrZero } from '../../read-amount.ts'
import type { AdminCall } from '../access.ts'
import { formatLimit } from '../describe-limit.ts'
import { notifyContacts } from '../../mail/notify-contacts.ts'
import { IN_EFFECT, raiseNeedsSecond, raiseOrPropose } from '../propose-limit.ts'
import { LOCK_GRANTS } from '../second-operator-queries.ts'
import { readSettings, refuseTakenParents } from './check-settings.ts'
import type { AppSettings } from '../app-change.ts'
import { LOCK_PARENTS } from '../app-change-queries.ts'

type Tools = Pick<Context, 'db' | 'ledger' | 'config' | 'mailer'>
type Caller = Pick<AdminCall, 'operator' | 'record'>

/** Every app starts with a limit of zero. A limit that one operator may not grant alone waits for a second one. */
export async function createClientApp(
  tools: Tools,
  call: Caller,
  input: z.output<typeof endpoint.input>,
): Promise<z.input<typeof endpoint.response>> {
  const { db, ledger, config } = tools
  const settings = readSettings(input)
  const parents = input.sharesParents ? [] : settings.allowedIframeParents
  const limit =
    input.creditLimit === 'unlimited'
      ? null
      : readAmountOrZero('creditLimit', input.creditLimit, config.currency)
  // Checked before the ledger account is opened, and again under the lock.
  await refuseTakenParents(db, parents)
  // Shared parents are refused here with an error code, so the check that explains them in words is skipped.
  const app = { ...settings, creditLimit: 0n, sharesParents: true }
  let outcome = IN_EFFECT
  const { clientId, clientSecret } = await create({ db, ledger, peppers: config.peppers }, app, {
    async before(tx) {
      await run(tx, LOCK_GRANTS)
      await run(tx, LOCK_PARENTS)
      await refuseTakenParents(tx, parents)
    },
    async after(tx, made) {
      outcome = await recordWithLimit(tx, tools, call, { ...made, settings, limit })
    },
  })
  // Until the contacts replace it, the first secret is one that an operator has seen.
  const news = [
    `Registered by the operator ${call.operator.email}, who saw the first client secret. Before you use the app with real money, ask the operator to replace the secret. Only the contacts get the new one.`,
  ]
  notifyContacts(tools, { name: settings.name, clientId }, settings.contactEmails, news)
  return { clientId, clientSecret, ...outcome }
}

async function recordWithLimit(
  tx: pg.ClientBase,
  tools: Tools,
  call: Caller,
  app: {
    id: bigint
    clientId: string
    ledgerAccount: number
    settings: AppSettings
    limit: bigint | null
  },
) {
  const raise = { from: 0n, to: app.limit }
  const needsSecond = app.limit !== 0n && (await raiseNeedsSecond(tx, tools, call, raise))
  const creditLimit = formatLimit(needsSecond ? 0n : app.limit, tools.config.currency)
  const after = { ...app.settings, creditLimit }
  await call.record(tx, { action: 'client_app.create', subject: app.clientId, after })
  if (app.limit === 0n) return IN_EFFECT
  const reason = 'Registration of the client app'
  return raiseOrPropose(tx, tools, call, app, { ...raise, needsSecond, reason })
}
