/** `coffer client-app on-mismatch`: what a repeat of a reference with other values gets. */
import { InvalidArgumentError } from 'commander'
import { setOnMismatch as set } from '../client-app/set-on-mismatch.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { record } from './record.ts'
import { print, withService } from './with-service.ts'

export async function setOnMismatch(clientId: string, onMismatch: string): Promise<void> {
  if (onMismatch !== 'replay' && onMismatch !== 'conflict') {
    throw new InvalidArgumentError('Use replay or conflict.')
  }
  await withService(({ db }) =>
    inTransaction(db, async (tx) => {
      await set(tx, clientId, onMismatch)
      await record(tx, 'client_app.change', clientId, { onMismatch })
    }),
  )
  print(
    onMismatch === 'conflict'
      ? `${clientId} now gets 409 REFERENCE_MISMATCH when it repeats a reference with other values.`
      : `${clientId} now gets the outcome of the first request when it repeats a reference with other values.`,
  )
}
