/** An operation has the metadata of its requests: all or none, and never that of another operation. Captures have none. */
import { METADATA_OF } from '../clients/call-service.ts'
import type { Setup } from '../setup/prepare-setup.ts'
import { withAdmin } from '../setup/with-admin.ts'
import type { Findings } from './findings.ts'

export async function checkMetadata({ database }: Setup, findings: Findings): Promise<void> {
  await withAdmin(database.url, async (admin) => {
    const { rows } = await admin.query<{ reference: string; stored: string | null }>(
      `select o.reference_id as reference, m.data->>'reference' as stored
       from ledger.operations o
         join ledger.operation_keys k on k.wallet_id = o.wallet_id and k.seq = o.seq and k.refusal is null
         left join ledger.metadata m on m.digest = k.digest
       where o.reference_type = 'ORDER' and o.kind in ('debit', 'credit', 'refund', 'hold')
         and (case when o.reference_id ~ $1 then o.reference_id end) is distinct from m.data->>'reference'`,
      [METADATA_OF.source],
    )
    for (const { reference, stored } of rows) {
      findings.add(1, `the operation of ${reference} has the metadata of ${stored ?? 'none'}`)
    }
  })
}
