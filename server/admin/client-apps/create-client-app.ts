import type { createClientApp as endpoint } from '@coffer/contract/admin/client-apps'
import type pg from 'pg'
import type { z } from 'zod'
import { createClientApp as create } from '../../client-app/create-client-app.ts'
import type { Context } from '../../context.ts'
import type { AdminCall } from '../access.ts'
import { LOCK_PARENTS, type AppSettings } from './queries.ts'
import { readLimit, readSettings, refuseTakenParents } from './check-settings.ts'
import { formatLimit } from '../grants/describe-grant.ts'
import { LOCK_GRANTS } from '../grants/queries.ts'
import { IN_EFFECT, weighRaise, writeRaise } from '../propose-limit.ts'

type Tools = Pick<Context, 'db' | 'ledger' | 'config'>
type Caller = Pick<AdminCall, 'operator' | 'record'>

/** Every app starts with a limit of zero. A limit that one operator may not grant alone waits for a second one. */
export async function createClientApp(
  tools: Tools,
  call: Caller,
  input: z.output<typeof endpoint.input>,
): Promise<z.input<typeof endpoint.answer>> {
  const { db, ledger, config } = tools
  const settings = readSettings(input)
  const parents = input.sharesParents ? [] : settings.allowedIframeParents
  const limit =
    input.creditLimit === 'unlimited' ? null : readLimit(input.creditLimit, config.currency)
  // Asked before the account is opened, and once more when nobody else can decide meanwhile.
  await refuseTakenParents(db, parents)
  // What another app lists is refused here with a code; the command line says it in words.
  const app = { ...settings, creditLimit: 0n, sharesParents: true }
  let outcome = IN_EFFECT
  const { clientId, clientSecret } = await create({ db, ledger, peppers: config.peppers }, app, {
    async before(tx) {
      await tx.query(LOCK_GRANTS)
      await tx.query(LOCK_PARENTS)
      await refuseTakenParents(tx, parents)
    },
    async after(tx, made) {
      outcome = await recordWithLimit(tx, tools, call, { ...made, settings, limit })
    },
  })
  return { clientId, clientSecret, ...outcome }
}

async function recordWithLimit(
  tx: pg.ClientBase,
  tools: Tools,
  call: Caller,
  app: {
    id: bigint
    clientId: string
    account: number
    settings: AppSettings
    limit: bigint | null
  },
) {
  const raise = { from: 0n, to: app.limit }
  const needsSecond = app.limit !== 0n && (await weighRaise(tx, tools, call, raise))
  const creditLimit = formatLimit(needsSecond ? 0n : app.limit, tools.config.currency)
  const after = { ...app.settings, creditLimit }
  await call.record(tx, { action: 'client_app.create', subject: app.clientId, after })
  if (app.limit === 0n) return IN_EFFECT
  const reason = 'Registration of the client app'
  return writeRaise(tx, tools, call, app, { ...raise, needsSecond, reason })
}
