/**
 * A wrong key under the right id would make every client secret and every authenticator fail. So the database records a
 * fingerprint of each key, by its id.
 */
import pg from 'pg'
import { ConfigError, type Config, type Keys, type NamedKey } from '../../config.ts'
import { createPool } from '../../database/connect.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { many, run, type Database } from '../../database/statement.ts'
import { WAIT_FOR_NO_STANDBY } from '../../ledger/currency-queries.ts'
import { deriveKey } from '../../seal.ts'
import {
  insertFingerprints,
  LIST_FINGERPRINTS,
  type Fingerprint,
  type KeyName,
} from './fingerprint-queries.ts'

const READ_ONLY = '25006'
export const USE_RIGHT_KEY =
  'Set the key that had this id before. A new key needs an id of its own (docs/operations.md, Replace a key).'

/** Before any process is started, so that the operator sees one message and not one per process. */
export async function refuseOtherKeys(config: Config): Promise<void> {
  const db = createPool(config.databaseUrl, { size: 1, barrier: false })
  try {
    await requireKeys(db, config)
  } finally {
    await db.end()
  }
}

/** Records the keys whose ids are new. Throws a ConfigError if an id had another key before. */
export async function requireKeys(db: pg.Pool, keys: Keys): Promise<void> {
  await recordKeys(db, keys)
  await compareKeys(db, keys)
}

/** Throws a ConfigError if an id had another key before. Records nothing. */
export async function compareKeys(db: Database, keys: Keys): Promise<void> {
  const wrong = await findWrongKeys(db, keys)
  if (wrong.length === 0) return
  throw new ConfigError(`${wrong.map(describeWrongKey).join('\n')}\n${USE_RIGHT_KEY}`)
}

export async function findWrongKeys(db: Database, keys: Keys): Promise<Fingerprint[]> {
  const recorded = await many(db, LIST_FINGERPRINTS)
  return fingerprintsOf(keys).filter((key) =>
    recorded.some((other) => isSameKey(key, other) && !key.fingerprint.equals(other.fingerprint)),
  )
}

export function describeWrongKey({ variable, keyId }: KeyName): string {
  return `${variable} has a wrong key ${keyId}: this database was used with another key of this id.`
}

async function recordKeys(db: pg.Pool, keys: Keys) {
  const recorded = await many(db, LIST_FINGERPRINTS)
  const added = fingerprintsOf(keys).filter(
    (key) => !recorded.some((other) => isSameKey(key, other)),
  )
  if (added.length === 0) return
  try {
    await inTransaction(db, async (tx) => {
      // A start without a standby must not hang; what is protected with the key comes after this in the WAL.
      await run(tx, WAIT_FOR_NO_STANDBY)
      await run(tx, insertFingerprints(added))
    })
  } catch (error) {
    // Nothing can be protected with a new key there either.
    if (!(error instanceof pg.DatabaseError && error.code === READ_ONLY)) throw error
  }
}

function fingerprintsOf({ peppers, adminKeys }: Keys): Fingerprint[] {
  const describe = (variable: Fingerprint['variable'], keys: readonly NamedKey[]) =>
    keys.map((key) => ({ variable, keyId: key.id, fingerprint: deriveKey(key, 'fingerprint') }))
  return [...describe('SECRET_PEPPERS', peppers), ...describe('ADMIN_KEYS', adminKeys ?? [])]
}

export function isSameKey(one: KeyName, other: KeyName): boolean {
  return one.variable === other.variable && one.keyId === other.keyId
}
