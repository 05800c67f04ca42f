/**
 * The POST endpoints that anybody may repeat without asking the client, because the references in the body make a
 * repeat safe. The proxies in deploy/ send other POST requests once.
 */
import { batch } from './batch.ts'
import { capture, hold, release } from './holds.ts'
import { credit, debit, refund } from './wallet.ts'

export const REPEATABLE_PATHS: readonly string[] = [
  debit.path,
  credit.path,
  refund.path,
  hold.path,
  capture.path,
  release.path,
  batch.path,
]
