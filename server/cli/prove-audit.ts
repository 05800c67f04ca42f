/** The audit log in `coffer verify`, `coffer checkpoint` and `coffer restore`. */
import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { READ_CHAIN_HEAD, type ChainHead } from '../admin/audit/chain-queries.ts'
import { verifyAudit } from '../admin/audit/verify-audit.ts'
import { one } from '../database/statement.ts'
import { GENESIS_HASH } from '../ledger/digest.ts'
import { readCheckpointFacts } from '../ledger/verify/checkpoint.ts'
import { print } from './with-service.ts'

interface ProveOptions {
  checkpoint?: string
  key?: string
  incremental?: boolean
}

/** What a checkpoint contains about the audit log. */
export async function readAuditFacts(client: pg.ClientBase): Promise<object> {
  const head = await one(client, READ_CHAIN_HEAD)
  const { seq, hash } = head ?? { seq: 0n, hash: GENESIS_HASH }
  return { audit: { seq: String(seq), hash: hash.toString('hex') } }
}

/** Prints the result, and returns it in one line. */
export async function proveAudit(client: pg.ClientBase, options: ProveOptions): Promise<string> {
  const { checkpoint: file, key, incremental: isIncremental = false } = options
  const checkpoint = file && key ? await readCheckpointHead(file, key) : undefined
  const { entries, fault } = await verifyAudit(client, { checkpoint, isIncremental })
  if (fault === undefined) {
    const sound = `The audit log is sound: ${entries} entries.`
    print(sound)
    return sound
  }
  print(`The audit log is NOT sound. First bad entry (after ${entries} entries):\n  ${fault}`)
  process.exitCode = 1
  return `The audit log is NOT sound: ${fault}`
}

async function readCheckpointHead(file: string, key: string): Promise<ChainHead> {
  const { audit } = await readCheckpointFacts(file, await readFile(key, 'utf8'))
  const { seq, hash } = audit as { seq: string; hash: string }
  return { seq: BigInt(seq), hash: Buffer.from(hash, 'hex') }
}
