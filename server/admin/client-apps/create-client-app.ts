import type { createClientApp as endpoint } from '@coffer/contract/admin/client-apps'
import type { z } from 'zod'
import { createClientApp as create } from '../../client-app/create-client-app.ts'
import type { Context } from '../../context.ts'
import type { AdminCall } from '../access.ts'
import { LOCK_PARENTS } from './queries.ts'
import { readLimit, readSettings, refuseTakenParents } from './check-settings.ts'

export async function createClientApp(
  { db, ledger, config }: Pick<Context, 'db' | 'ledger' | 'config'>,
  { record }: Pick<AdminCall, 'record'>,
  input: z.output<typeof endpoint.input>,
): Promise<{ clientId: string; clientSecret: string }> {
  const settings = readSettings(input)
  const parents = input.sharesParents ? [] : settings.allowedIframeParents
  const { creditLimit: limit } = input
  const creditLimit: bigint | 'unlimited' =
    limit === 'unlimited' ? 'unlimited' : readLimit(limit, config.currency)
  // Asked before the account is opened, and once more when nobody else can decide meanwhile.
  await refuseTakenParents(db, parents)
  const tools = { db, ledger, peppers: config.peppers }
  // What another app lists is refused here with a code; the command line says it in words.
  const app = { ...settings, creditLimit, sharesParents: true }
  const { clientId, clientSecret } = await create(tools, app, async (tx, id) => {
    await tx.query(LOCK_PARENTS)
    await refuseTakenParents(tx, parents)
    const after = { ...settings, creditLimit: limit }
    await record(tx, { action: 'client_app.create', subject: id, after })
  })
  return { clientId, clientSecret }
}
