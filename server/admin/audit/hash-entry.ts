/**
 * The hash chain of the audit log. The trigger admin.chain_new_entry writes it with the database's admin.hash_entry, so
 * that every process adds its entries, whatever its version is; this file computes the same hash to verify it.
 */
import { hash } from 'node:crypto'

export interface ChainedEntry {
  /** 1, 2, 3, …, in the order of the commits. */
  seq: bigint
  id: bigint
  /** Microseconds since 1970; null: not a finite time. */
  atMicros: bigint | null
  actor: string
  actorId: bigint | null
  address: string | null
  action: string
  subject: string | null
  /** The text of the jsonb column. */
  before: string | null
  after: string | null
}

const VERSION = 1

/** SHA-256 over the previous hash and the fields, each as "bytes:text" or, if it is null, "-". */
export function hashEntry(previous: Buffer, entry: ChainedEntry): Buffer {
  const { seq, id, atMicros, actor, actorId, address, action, subject, before, after } = entry
  const fields = [VERSION, seq, id, atMicros, actor, actorId, address, action, subject]
  const text = [...fields, before, after].map(encode).join(',')
  return hash('sha256', Buffer.concat([previous, Buffer.from(text)]), 'buffer')
}

function encode(field: string | number | bigint | null): string {
  return field === null ? '-' : `${Buffer.byteLength(String(field))}:${field}`
}
