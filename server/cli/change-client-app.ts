import { InvalidArgumentError } from 'commander'
import * as settings from '../client-app/change-settings.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { record } from './record.ts'
import { print, withService } from './with-service.ts'

/** `coffer client-app balance-events`: whether the app gets the event balance.changed. */
export async function setBalanceEvents(clientId: string, state: string): Promise<void> {
  if (state !== 'on' && state !== 'off') throw new InvalidArgumentError('Use on or off.')
  const getsBalanceEvents = state === 'on'
  await withService(({ db }) =>
    inTransaction(db, async (tx) => {
      await settings.setBalanceEvents(tx, clientId, getsBalanceEvents)
      await record(tx, 'client_app.change', clientId, { getsBalanceEvents })
    }),
  )
  print(
    getsBalanceEvents
      ? `${clientId} now gets the event balance.changed when something else changes the balance of a linked wallet.`
      : `${clientId} no longer gets the event balance.changed.`,
  )
}

/** `coffer client-app on-mismatch`: what a repeat of a reference with other values gets. */
export async function setOnMismatch(clientId: string, onMismatch: string): Promise<void> {
  if (onMismatch !== 'replay' && onMismatch !== 'conflict') {
    throw new InvalidArgumentError('Use replay or conflict.')
  }
  await withService(({ db }) =>
    inTransaction(db, async (tx) => {
      await settings.setOnMismatch(tx, clientId, onMismatch)
      await record(tx, 'client_app.change', clientId, { onMismatch })
    }),
  )
  print(
    onMismatch === 'conflict'
      ? `${clientId} now gets 409 REFERENCE_MISMATCH when it repeats a reference with other values.`
      : `${clientId} now gets the outcome of the first request when it repeats a reference with other values.`,
  )
}
