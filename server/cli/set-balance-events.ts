/** `coffer client-app balance-events`: whether the app gets the event balance.changed. */
import { InvalidArgumentError } from 'commander'
import { setBalanceEvents as set } from '../client-app/set-balance-events.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { record } from './record.ts'
import { print, withService } from './with-service.ts'

export async function setBalanceEvents(clientId: string, state: string): Promise<void> {
  if (state !== 'on' && state !== 'off') throw new InvalidArgumentError('Use on or off.')
  const getsBalanceEvents = state === 'on'
  await withService(({ db }) =>
    inTransaction(db, async (tx) => {
      await set(tx, clientId, getsBalanceEvents)
      await record(tx, 'client_app.change', clientId, { getsBalanceEvents })
    }),
  )
  print(
    getsBalanceEvents
      ? `${clientId} now gets the event balance.changed when something else changes the balance of a linked wallet.`
      : `${clientId} no longer gets the event balance.changed.`,
  )
}
