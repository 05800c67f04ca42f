import type { changeClientApp } from '@coffer/contract/admin/client-apps'
import { ON_MISMATCH_DEFAULT } from '@coffer/contract/limits'
import type pg from 'pg'
import type { z } from 'zod'
import { faultOfOrigin } from '../../client-app/origins.ts'
import { findParentOwners } from '../../client-app/queries.ts'
import { many } from '../../database/statement.ts'
import { ServiceError } from '../../service-error.ts'
import type { AppSettings } from '../app-change.ts'

type Input = Omit<z.output<typeof changeClientApp.input>, 'clientId' | 'creditLimit'>

export function readSettings(input: Input): AppSettings {
  for (const field of ['allowedOrigins', 'allowedIframeParents'] as const) {
    const isFaulty = input[field].some((origin) => faultOfOrigin(origin) !== undefined)
    if (isFaulty) throw new ServiceError('INVALID_REQUEST', field)
  }
  return {
    name: input.name,
    scopes: [...new Set(input.scopes)],
    allowedOrigins: [...new Set(input.allowedOrigins)],
    allowedIframeParents: [...new Set(input.allowedIframeParents)],
    accentColor: input.accentColor,
    onMismatch: input.onMismatch ?? ON_MISMATCH_DEFAULT,
    getsBalanceEvents: input.getsBalanceEvents ?? false,
    contactEmails: [...new Set(input.contactEmails)],
  }
}

/** An origin belongs to one active app, unless the operator allows sharing; the frames must then pass the clientId. */
export async function refuseTakenParents(
  db: pg.Pool | pg.ClientBase,
  parents: readonly string[],
  ownClientId?: string,
): Promise<void> {
  const owners = await many(db, findParentOwners(parents))
  if (owners.some(({ clientId }) => clientId !== ownClientId))
    throw new ServiceError('ORIGIN_TAKEN')
}
