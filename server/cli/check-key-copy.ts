/** Compares a copy of the keys with what the database needs, and records that the copy is complete. */
import type pg from 'pg'
import {
  LIST_FINGERPRINTS,
  setCopyChecked,
  type KeyName,
} from '../admin/switches/fingerprint-queries.ts'
import { LIST_SEEDS } from '../admin/switches/queries.ts'
import { readKeys } from '../admin/switches/read-keys.ts'
import { describeWrongKey, findWrongKeys, isSameKey } from '../admin/switches/require-keys.ts'
import { recordAction } from '../admin/record-action.ts'
import { openSeed } from '../admin/seal-seed.ts'
import type { Keys } from '../config.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { many, run } from '../database/statement.ts'
import { COMMAND_LINE } from './operator.ts'
import { count } from './with-service.ts'

interface Result {
  /** Why the copy is not enough; then nothing is recorded. */
  faults: string[]
  /** What the copy has or lacks without harm. */
  notes: string[]
  checked: KeyName[]
}

export async function checkKeyCopy(db: pg.Pool, copy: Keys): Promise<Result> {
  const recorded = await many(db, LIST_FINGERPRINTS)
  const isRecorded = (key: KeyName) => recorded.some((other) => isSameKey(key, other))
  const needed = await listNeeded(db, copy)
  const copied = namesOf(copy)
  const isCopied = (key: KeyName) => copied.some((other) => isSameKey(key, other))
  const wrong = await findWrongKeys(db, copy)
  const faults = [
    ...needed
      .filter((key) => !isCopied(key))
      .map((key) => `${nameOf(key)} is missing: ${key.uses} need it.`),
    ...needed
      .filter((key) => isCopied(key) && !isRecorded(key))
      .map((key) => `${nameOf(key)} cannot be compared before the service has started with it.`),
    ...wrong.map(describeWrongKey),
    ...(wrong.length === 0 ? await openSeeds(db, copy) : []),
  ]
  const notes = [
    ...recorded
      .filter((key) => !isCopied(key) && !needed.some((other) => isSameKey(key, other)))
      .map((key) => `${nameOf(key)} is not in the copy. Nothing in the database needs it.`),
    ...copied
      .filter((key) => !isRecorded(key) && !needed.some((other) => isSameKey(key, other)))
      .map((key) => `${nameOf(key)} was never used with this database.`),
  ]
  const checked = copied.filter(isRecorded)
  if (faults.length === 0) await recordCheck(db, checked)
  return { faults, notes, checked }
}

export function nameOf({ variable, keyId }: KeyName): string {
  return `${variable} ${keyId}`
}

export function namesOf({ peppers, adminKeys }: Keys): KeyName[] {
  return [
    ...peppers.map(({ id }) => ({ variable: 'SECRET_PEPPERS' as const, keyId: id })),
    ...(adminKeys ?? []).map(({ id }) => ({ variable: 'ADMIN_KEYS' as const, keyId: id })),
  ]
}

async function listNeeded(db: pg.Pool, copy: Keys): Promise<(KeyName & { uses: string })[]> {
  const state = await readKeys({ db, config: copy })
  const peppers = state.peppers.map(({ id, liveSecrets, webhooks }) => ({
    variable: 'SECRET_PEPPERS' as const,
    keyId: id,
    isNeeded: liveSecrets + webhooks > 0,
    uses: `${count(liveSecrets, 'client secret')} and ${count(webhooks, 'webhook')}`,
  }))
  const adminKeys = state.adminKeys.map(({ id, authenticators, recoveryCodes }) => ({
    variable: 'ADMIN_KEYS' as const,
    keyId: id,
    isNeeded: authenticators + recoveryCodes > 0,
    uses: `${count(authenticators, 'authenticator')} and the recovery codes of ${count(recoveryCodes, 'operator')}`,
  }))
  return [...peppers, ...adminKeys].filter(({ isNeeded }) => isNeeded)
}

/** The keys of the copy decrypt what they encrypted. */
async function openSeeds(db: pg.Pool, { adminKeys }: Keys): Promise<string[]> {
  if (adminKeys === undefined) return []
  const seeds = await many(db, LIST_SEEDS)
  return seeds.flatMap(({ operatorId, email, seed }) => {
    if (!adminKeys.some(({ id }) => id === seed.keyId)) return []
    try {
      openSeed(adminKeys, operatorId, seed)
      return []
    } catch {
      return [`ADMIN_KEYS ${seed.keyId} does not decrypt the authenticator of ${email}.`]
    }
  })
}

async function recordCheck(db: pg.Pool, checked: KeyName[]) {
  await inTransaction(db, async (tx) => {
    await run(tx, setCopyChecked(checked))
    await recordAction(tx, COMMAND_LINE, {
      action: 'keys.check',
      after: { keys: checked.map(nameOf) },
    })
  })
}
