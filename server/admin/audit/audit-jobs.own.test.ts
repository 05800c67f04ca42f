/** The verification of the audit log in the background. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openLease } from '../../database/leases.ts'
import { openAuditSetup, type AuditSetup } from '../../test/audit-setup.ts'
import { createVerifier } from './audit-jobs.ts'

let setup: AuditSetup
before(async () => {
  setup = await openAuditSetup()
})
after(() => setup.harness.end())

const metric = async (name: string) => {
  const text = await setup.harness.context.metrics.registry.metrics()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

/** Works until a round has ended, with or without a fault. */
async function verifyRound() {
  const { context } = setup.harness
  const lease = openLease(context.db, 'verify-audit')
  assert(await lease.take())
  const verifier = createVerifier(context, lease)
  while (!(await verifier.verifyPage()));
  await lease.release()
}

describe('the verifier of the audit log', () => {
  it('verifies page by page and remembers the head', async () => {
    const { admin } = setup.harness
    await setup.write(2_100)
    assert.equal(await metric('coffer_audit_verified_at_seconds'), 0)
    await verifyRound()
    const verifiedAt = await metric('coffer_audit_verified_at_seconds')
    assert(Math.abs(verifiedAt - Date.now() / 1000) < 600)
    const { rows } = await admin.query(
      `select seq::int, hash from admin.audit_tasks where task = 'verify'`,
    )
    assert.deepEqual(rows, [{ seq: 2_100, hash: (await setup.head()).hash }])
    assert.equal(await metric('coffer_audit_faults_total'), 0)
  })

  it('counts and logs a fault, and does not forget what it verified before', async () => {
    const { logLines } = setup.harness
    const isReported = (fault: string) =>
      logLines.some(
        (line) => line.includes('the audit log failed verification') && line.includes(fault),
      )
    const change = `update admin.audit set actor = 'x' where id = (
      select audit_id from admin.audit_chain where seq = 1500)`
    await setup.tamper(change, verifyRound)
    assert.equal(await metric('coffer_audit_faults_total'), 1)
    assert(isReported('(seq 1500): the entry, its hash or its position in the chain was changed'))
    const cut = `delete from admin.audit where id > (select min(id) + 99 from admin.audit);
      delete from admin.audit_chain where seq > 100`
    await setup.tamper(cut, verifyRound)
    assert.equal(await metric('coffer_audit_faults_total'), 2)
    assert(isReported('seq 2100: it is missing, but an earlier verification has it'))
    await verifyRound()
    assert.equal(await metric('coffer_audit_faults_total'), 2)
  })
})
