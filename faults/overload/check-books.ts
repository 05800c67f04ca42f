/** Afterwards: every acknowledged operation is there once, and no others except those with an unknown outcome. */
import pg from 'pg'
import { clientConfig } from '../../server/database/connect.ts'
import { verify } from '../../server/ledger/verify/verify.ts'
import { withAdmin } from '../setup/with-admin.ts'
import { required, reported, type Section } from './figures.ts'
import type { Target } from './prepare-target.ts'

export async function checkBooks(target: Target): Promise<Section> {
  const { database, acknowledged, unknown, openings } = target
  const posted = await withAdmin(database.url, async (admin) => {
    const { rows } = await admin.query<{ reference_id: string }>(
      `select reference_id from ledger.operations where reference_type = 'OVERLOAD'`,
    )
    return rows.map((row) => row.reference_id)
  })
  const distinct = new Set(posted)
  const lost = [...acknowledged].filter((reference) => !distinct.has(reference)).length
  const surprising = [...distinct].filter((each) => !acknowledged.has(each) && !unknown.has(each))
  const none = (name: string, count: number) => required(name, String(count), '0', count === 0)
  const report = await verifyBooks(database.url)
  const isWhole = report.operations === posted.length + openings
  const verdict = report.fault ?? (isWhole ? 'correct' : `verified ${report.operations} operations`)
  return {
    title: 'The books after the load',
    figures: [
      reported('Operations posted', String(posted.length)),
      reported('Pairs acknowledged', String(acknowledged.size)),
      reported('Pairs without a definite response', String(unknown.size)),
      none('Acknowledged and lost', lost),
      none('Posted twice', posted.length - distinct.size),
      none('Posted though refused', surprising.length),
      required('Verifier', verdict, 'sound', report.fault === undefined && isWhole),
    ],
  }
}

async function verifyBooks(url: string) {
  const client = new pg.Client(clientConfig(url))
  await client.connect()
  try {
    return await verify(client, {})
  } finally {
    await client.end()
  }
}
