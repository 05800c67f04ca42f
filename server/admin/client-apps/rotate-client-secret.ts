import type { rotateClientSecret as endpoint } from '@coffer/contract/admin/client-apps'
import type pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { describeRestriction, normalize } from '../../client-app/restriction.ts'
import { rotateSecret } from '../../client-app/rotate-secret.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { one, run } from '../../database/statement.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { findRotation, markRotationUsed, type ApprovedRotation } from '../app-change-queries.ts'
import { notifyContacts } from '../../mail/notify-contacts.ts'
import { proposeAppChange } from '../propose-app-change.ts'
import { LOCK_GRANTS } from '../second-operator-queries.ts'
import { listSecretIds, requireApp } from './require-app.ts'

type Caller = Pick<AdminCall, 'operator' | 'record'>
type Input = z.output<typeof endpoint.input>

/** Longer than any process caches a client app. */
export const KNOWN_EVERYWHERE_MS = 1_000

/**
 * Returns the new secret once every process accepts it, so that it can be used immediately. The operator who sees the
 * secret of an app in use gets the power of that app, so a second operator approves it first.
 */
export async function rotateClientSecret(
  { db, config, mailer }: Pick<Context, 'db' | 'config' | 'mailer'>,
  call: Caller,
  input: Input,
): Promise<z.input<typeof endpoint.response>> {
  const { clientId } = input
  const restriction = input.restriction && normalize(input.restriction)
  const { rotation, approvers } = await inTransaction(db, (tx) =>
    findOrPropose(tx, call, { ...input, restriction }),
  )
  if (approvers !== undefined) return { clientSecret: null, approvers }
  const overlap = rotation?.overlap ?? input.overlap
  let contacts: { name: string; clientId: string; contactEmails: readonly string[] } | undefined
  const tools = { db, peppers: config.peppers }
  const clientSecret = await rotateSecret(tools, clientId, { overlap, restriction }, async (tx) => {
    const app = await requireApp(tx, clientId)
    contacts = app
    const isUsed =
      rotation !== undefined && (await run(tx, markRotationUsed(rotation.grantId))) === 1
    if (app.isInUse && !isUsed) throw new ServiceError('SECOND_OPERATOR_REQUIRED')
    const before = { liveSecrets: await listSecretIds(tx, app.id) }
    const after = { overlap, restriction, ...(rotation && { grant: rotation.grantId }) }
    await call.record(tx, { action: 'client_app.rotate', subject: clientId, before, after })
  })
  if (contacts) {
    const news = [describe(overlap), ...(restriction ? [describeRestriction(restriction)] : [])]
    notifyContacts({ mailer }, contacts, contacts.contactEmails, news)
  }
  await sleep(KNOWN_EVERYWHERE_MS)
  return { clientSecret, approvers: [] }
}

/** A rotation that this operator may make now, or the operators who can approve one. */
async function findOrPropose(
  tx: pg.ClientBase,
  call: Caller,
  { clientId, overlap, restriction }: Input,
): Promise<{ rotation?: ApprovedRotation | undefined; approvers?: string[] }> {
  await run(tx, LOCK_GRANTS)
  const app = await requireApp(tx, clientId)
  if (!app.isInUse) return {}
  const rotation = await one(tx, findRotation(app.id, call.operator.operatorId, restriction))
  if (rotation) return { rotation }
  return {
    approvers: await proposeAppChange(tx, call, app, {
      rotation: overlap,
      ...(restriction && { restriction }),
    }),
  }
}

function describe(overlap: Input['overlap']): string {
  return overlap === 'none'
    ? 'The client secret was rotated, and an operator saw the new one. The old secret no longer works.'
    : `The client secret was rotated, and an operator saw the new one. The old secret expires in ${overlap}.`
}
