import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { stripeEnv } from '../../sandbox/stripe-env.ts'
import { testEnv } from '../test/harness.ts'
import { beginAndPay, openTopupSetup, withNewUser, type TopupSetup } from '../test/topup-setup.ts'

describe('coffer reconcile', () => {
  let setup: TopupSetup
  before(async () => {
    setup = await openTopupSetup()
  })
  after(() => setup.close())

  const script = fileURLToPath(new URL('../coffer.ts', import.meta.url))
  function reconcile(...flags: string[]): Promise<{ code: number; stdout: string }> {
    const stripe = stripeEnv(setup.sandbox)
    const env = { PATH: process.env['PATH'], ...testEnv(setup.harness.databaseUrl), ...stripe }
    const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    return new Promise((resolve) => {
      const args = [script, 'reconcile', '--from', day, ...flags]
      execFile(process.execPath, args, { env }, (error, stdout) =>
        resolve({ code: Number(error?.code ?? 0), stdout }),
      )
    })
  }

  it('exits with 1 while payments differ, and with 0 once all are credited', async () => {
    const { paymentIntentId } = await beginAndPay(await withNewUser(setup), 20)
    const line = `${paymentIntentId}  paid at the processor, but not credited here`
    assert.deepEqual(await reconcile(), {
      code: 1,
      stdout: `${line}\n0 payments agree, 0.00 USD.\nDifferences: 1. Check each one. --credit-missing credits payments that are missing in the ledger.\n`,
    })
    const credited = await reconcile('--credit-missing')
    assert.deepEqual([credited.code, credited.stdout.split('\n')[0]], [0, `${line} (credited now)`])
    assert.deepEqual(await reconcile(), { code: 0, stdout: '1 payments agree, 20.00 USD.\n' })
  })
})
