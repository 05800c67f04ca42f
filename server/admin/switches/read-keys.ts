/** Shows what each key still protects. Returns only ids and counts, never a key. */
import type { readKeys as endpoint } from '@coffer/contract/admin/switches'
import type { z } from 'zod'
import type { NamedKey } from '../../config.ts'
import type { Context } from '../../context.ts'
import { many } from '../../database/statement.ts'
import { COUNT_SECRETS, COUNT_WEBHOOKS, LIST_ADMIN_KEYS, listOutdatedSecrets } from './queries.ts'

export type KeysState = z.output<typeof endpoint.response>
type Tools = Pick<Context, 'db'> & {
  config: Pick<Context['config'], 'peppers' | 'adminKeys'>
}

const SHOWN_MAX = 100

export async function readKeys({ db, config }: Tools, most = SHOWN_MAX): Promise<KeysState> {
  const { peppers, adminKeys = [] } = config
  const uses = await many(db, COUNT_SECRETS)
  const signing = await many(db, COUNT_WEBHOOKS)
  const operators = await many(db, LIST_ADMIN_KEYS)
  const outdatedSecrets = await many(db, listOutdatedSecrets([peppers[0].id], most))
  const sealed = operators.map(({ seedKeyId }) => seedKeyId)
  const hashed = operators.flatMap(({ recoveryKeyId }) => recoveryKeyId ?? [])
  return {
    peppers: nameKeys(
      peppers,
      [...uses, ...signing].map(({ pepperId }) => pepperId),
    ).map((key) => {
      const { liveSecrets = 0, clientApps = 0 } =
        uses.find(({ pepperId }) => pepperId === key.id) ?? {}
      const { webhooks = 0 } = signing.find(({ pepperId }) => pepperId === key.id) ?? {}
      return { ...key, liveSecrets, clientApps, webhooks }
    }),
    outdatedSecrets: outdatedSecrets.map(({ usedAt, ...secret }) => ({
      ...secret,
      lastUsedAt: usedAt?.toISOString() ?? null,
    })),
    adminKeys: nameKeys(adminKeys, [...sealed, ...hashed]).map((key) => ({
      ...key,
      authenticators: sealed.filter((id) => id === key.id).length,
      recoveryCodes: hashed.filter((id) => id === key.id).length,
    })),
  }
}

/** The configured keys in their order, then keys that are used but not configured. */
function nameKeys(configured: readonly NamedKey[], used: readonly string[]) {
  const known = configured.map(({ id }) => id)
  const others = [...new Set(used)].filter((id) => !known.includes(id)).toSorted()
  return [...known, ...others].map((id) => ({
    id,
    isNewest: id === known[0],
    isKnown: known.includes(id),
  }))
}
