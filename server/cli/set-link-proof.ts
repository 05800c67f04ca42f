/** `coffer client-app link-proof`: whether the exchange of a link code requires the verifier. */
import { InvalidArgumentError } from 'commander'
import { recordAction } from '../admin/record-action.ts'
import { requireLinkProof } from '../client-app/require-link-proof.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { COMMAND_LINE } from './operator.ts'
import { print, withService } from './with-service.ts'

export async function setLinkProof(clientId: string, state: string): Promise<void> {
  if (state !== 'on' && state !== 'off') throw new InvalidArgumentError('Use on or off.')
  const requiresLinkProof = state === 'on'
  await withService(({ db }) =>
    inTransaction(db, async (tx) => {
      await requireLinkProof(tx, clientId, requiresLinkProof)
      const after = { requiresLinkProof }
      await recordAction(tx, COMMAND_LINE, {
        action: 'client_app.change',
        subject: clientId,
        after,
      })
    }),
  )
  print(
    requiresLinkProof
      ? `${clientId} must now send the verifier with every link code.`
      : `${clientId} may now exchange link codes without a verifier. Turn this on again when it can send one.`,
  )
}
