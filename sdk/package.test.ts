/** The published package as users install it: from its tarball, on every installed Node, as ESM and as CommonJS. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { findFreePorts } from '../scripts/find-free-ports.ts'
import { issueLinkCode } from '../server/identity/exchange-link-code.ts'
import { createVerifier } from './create-verifier.ts'
import { makeClientApp, makeLinkedUser } from '../server/test/factories.ts'
import { startHarness, type Harness } from '../server/test/harness.ts'
import { ERROR_CLASSES } from './errors.ts'
import { findNodes, packIntoApp, TSCONFIG, type InstalledApp } from './test/pack.ts'
import { signExample } from './test/sign-example.ts'
import { startListening } from './test/start-listening.ts'

const PAY = `
const coffer = createCoffer({
  serviceUrl: process.env.COFFER_URL,
  clientId: process.env.COFFER_CLIENT_ID,
  clientSecret: process.env.COFFER_CLIENT_SECRET,
})
async function main() {
  const serviceUserId = process.env.SERVICE_USER_ID
  const debit = { serviceUserId, amount: 10, referenceType: 'NODE', referenceId: process.version }
  const { balance } = await coffer.debit(debit)
  const { replayed } = await coffer.debit(debit)
  const error = await coffer.debit({ ...debit, amount: 11 }).catch((thrown) => thrown)
  const isOurs = isCofferError(error, 'REPLAY_MISMATCH') && error instanceof ReplayMismatchError
  const isTheirs = other.isCofferError(error, 'REPLAY_MISMATCH')
  const { hasSufficientBalance } = await coffer.checkBalance({ serviceUserId, requiredAmount: 90 })
  const credited = await coffer.credit({ ...debit, amount: 1, referenceType: 'CREDIT' })
  console.log(JSON.stringify([balance, replayed, isOurs, isTheirs, hasSufficientBalance, credited.balance]))
}
main()
`
const ESM = `import { createRequire } from 'node:module'
import { createCoffer, isCofferError, ReplayMismatchError } from '@coffer/sdk'
const other = createRequire(import.meta.url)('@coffer/sdk')
${PAY}`
const CJS = `const { createCoffer, isCofferError, ReplayMismatchError } = require('@coffer/sdk')
const other = require('@coffer/sdk')
${PAY}`

let harness: Harness
let installedApp: InstalledApp
let url: string

before(async () => {
  harness = await startHarness()
  url = await harness.app.listen({ port: 0, host: '127.0.0.1' })
  installedApp = await packIntoApp()
})

after(async () => {
  installedApp.remove()
  await harness.end()
})

/** The environment of a backend with a user who has 100.00. */
async function makeEnv() {
  const { context } = harness
  const app = await makeClientApp(context, {
    allowedIframeParents: ['https://shop.example'],
    sharesParents: true,
  })
  const { serviceUserId } = await makeLinkedUser(context, app, 100_00n)
  const { verifier, challenge } = await createVerifier()
  return {
    COFFER_URL: url,
    COFFER_CLIENT_ID: app.clientId,
    COFFER_CLIENT_SECRET: app.clientSecret,
    SERVICE_USER_ID: serviceUserId,
    LINK_CODE: await issueLinkCode(context.db, serviceUserId, challenge),
    VERIFIER: verifier,
  }
}

describe('the published package', () => {
  it('has no dependencies, no imports and no types of other packages', () => {
    const read = (name: string) => readFileSync(join(installedApp.installed, name), 'utf8')
    const { dependencies, peerDependencies } = JSON.parse(read('package.json'))
    assert.deepEqual([dependencies, peerDependencies], [undefined, undefined])
    for (const name of ['coffer.mjs', 'coffer.cjs', 'coffer.d.mts', 'coffer.d.cts']) {
      assert.doesNotMatch(
        read(`dist/${name}`),
        /\b(import|require)\b ?[('"{*]|from ['"]|contract|zod/,
      )
    }
  })

  it('works on every installed Node, as ESM and as CommonJS', async (test) => {
    const nodes = await findNodes()
    test.diagnostic([...nodes.keys()].join(', '))
    for (const executable of nodes.values()) {
      for (const file of [installedApp.write('pay.mjs', ESM), installedApp.write('pay.cjs', CJS)]) {
        const output = await installedApp.node(executable, file, await makeEnv())
        assert.deepEqual(JSON.parse(output), [90, true, true, true, true, 91])
      }
    }
  })

  it('forwards and verifies webhooks on every installed Node', async () => {
    const receive = (start: string) => `${start}
createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const event = await verifyWebhook(Buffer.concat(chunks), request.headers, process.env.SECRET)
  const error = await verifyWebhook('{}', request.headers, process.env.SECRET).catch((thrown) => thrown)
  response.writeHead(204).end(() => process.exit())
  console.log(event.type, error instanceof InvalidWebhookError && error.code)
}).listen(Number(process.env.PORT), '127.0.0.1')
`
    const names = '{ InvalidWebhookError, verifyWebhook }'
    const esm = `import ${names} from '@coffer/sdk'\nimport { createServer } from 'node:http'`
    const cjs = `const ${names} = require('@coffer/sdk')\nconst { createServer } = require('node:http')`
    const [port = 0] = await findFreePorts(1)
    const target = `http://127.0.0.1:${port}/`
    const SECRET = `whsec_${randomBytes(32).toString('base64')}`
    for (const executable of (await findNodes()).values()) {
      const env = { ...(await makeEnv()), PORT: String(port), COFFER_WEBHOOK_SECRET: SECRET }
      const command = join(installedApp.installed, 'dist/listen.mjs')
      for (const [name, text] of Object.entries({
        'hook.mjs': receive(esm),
        'hook.cjs': receive(cjs),
      })) {
        const receiving = installedApp.node(executable, installedApp.write(name, text), {
          ...env,
          SECRET,
        })
        const args = ['--forward-to', target, '--since-start']
        const listening = startListening(args, env, [executable, command, 'listen'])
        assert.equal(await receiving, 'link.created NO_MATCHING_SIGNATURE\n')
        await listening.until(/sequence 1: 204/)
        await listening.end('SIGINT')
      }
    }
  })

  it('has types that catch mistakes in both kinds of modules', async () => {
    const wrong = `
const coffer = createCoffer({ serviceUrl: 'https://wallet.example', clientId: 'a', clientSecret: 'b' })
const pair = { referenceType: 'T', referenceId: 'r' }
export async function use(user: { serviceUserId?: string }) {
  const { balance, replayed } = await coffer.debit({ serviceUserId: user.serviceUserId, amount: 1, ...pair })
  const sum: number = balance
  const again: boolean = replayed
  await coffer.credit({ serviceUserId: null, amount: '1.50', ...pair, description: 'words' })
  // @ts-expect-error An operation may be null.
  ;(await coffer.operation(pair)).status
  // @ts-expect-error A debit needs a reference.
  await coffer.debit({ serviceUserId: 'su', amount: 1 })
  // @ts-expect-error A missing user must be stated explicitly.
  await coffer.wallet({})
  // @ts-expect-error A bigint is not an amount.
  await coffer.debit({ serviceUserId: 'su', amount: 1n, ...pair })
  // @ts-expect-error There is no such field.
  await coffer.debit({ serviceUserId: 'su', amount: 1, ...pair, currency: 'USD' })
  // @ts-expect-error A release has no amount.
  await coffer.batch([{ type: 'release', hold: pair, ...pair, amount: 1 }])
  for (const result of await coffer.batch([{ type: 'refund', debit: pair, ...pair }])) {
    // @ts-expect-error An error has no balance.
    if (result.status !== 200) return [result.error, result.balance]
    const id: string = result.transactionId
    return [id, result.refunded]
  }
  const event = await verifyWebhook('{}', new Headers(), ['a', process.env['SECRET']])
  if (event.type === 'topup.credited') return [event.sequence, event.data.amount + 1]
  if (event.type === 'ping') return []
  // @ts-expect-error Not every event has a balance.
  event.data.balance.toFixed()
  // @ts-expect-error A parsed body cannot be verified.
  await verifyWebhook({}, {}, 'a')
  // @ts-expect-error Credentials are not optional.
  createCoffer({ serviceUrl: 'https://wallet.example' })
  return [sum, again]
}
export function handle(error: unknown) {
  if (isCofferError(error, 'OUTCOME_UNKNOWN')) return coffer.operation(error.reference)
  if (isCofferError(error, 'REPLAY_MISMATCH') && error.original.status === 'posted') {
    const names: string[] = error.differs
    return [names, error.original.balance]
  }
  // @ts-expect-error There is no such code.
  if (isCofferError(error, 'NO_SUCH_CODE')) return
  if (error instanceof InsufficientBalanceError) {
    const code: 'INSUFFICIENT_BALANCE' = error.code
    // @ts-expect-error This error carries no reference.
    return [code, error.reference]
  }
  return
}
createCoffer({ serviceUrl: 'https://a.example', clientId: 'a', clientSecret: 'b', fetch })
`
    const start = `import { createCoffer, InsufficientBalanceError, isCofferError, verifyWebhook } from '@coffer/sdk'\n`
    installedApp.write('tsconfig.json', TSCONFIG)
    installedApp.write('wrong.mts', start + wrong)
    installedApp.write('wrong.cts', start + wrong)
    assert.equal(await installedApp.compile(), '')
  })
})

describe('README.md', () => {
  const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8')

  it('shows code that compiles and runs', async () => {
    const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code)
    assert(blocks.length >= 8)
    const mine = `
const { SERVICE_USER_ID, LINK_CODE = '', VERIFIER = '', WEBHOOK = '', WEBHOOK_HEADERS = '' } = process.env
const session: { verifier?: string } = {}
const page: { challenge?: string } = {}
const user: { serviceUserId?: string } = {}
const order: { id: string; total: number; transactionId?: string } = { id: 'order-1', total: 19.99 }
const refund = { id: 'refund-1', total: 9.99 }
const linkCode = LINK_CODE
`
    const check = `
const results = [serviceUserId === SERVICE_USER_ID && page.challenge?.length === 43, sessionToken.slice(0, 3), expiresAt > '2', wallet.balance]
results.push(hasSufficientBalance, balance, replayed, operation?.status ?? '')
results.push(refundable, captured, released, unfinished.length)
results.push(await pay('order-2'))
order.total = 1_000
results.push(await pay('order-3'))
delete user.serviceUserId
results.push(await pay('order-4'))
const progress: { cursor?: string } = {}
const stop = new AbortController()
const following = followEvents(progress, stop.signal)
while (progress.cursor === undefined) await new Promise((resolve) => setTimeout(resolve, 50))
stop.abort()
await following
results.push(String(progress.cursor).slice(0, 4))
const hook = (headers: Record<string, string>) => new Request('http://localhost/', { method: 'POST', headers, body: WEBHOOK })
results.push((await receiveWebhook(hook(JSON.parse(WEBHOOK_HEADERS)))).status, (await receiveWebhook(hook({}))).status)
console.log(JSON.stringify(results))
`
    installedApp.write('tsconfig.json', TSCONFIG)
    // The code was issued for a verifier that is known here, not for the one of the block before.
    const exchange = blocks.findIndex((block) => block?.includes('exchangeLinkCode'))
    blocks.splice(exchange, 0, 'session.verifier = VERIFIER')
    const file = installedApp.write('readme.mts', [mine, ...blocks, check].join('\n'))
    assert.equal(await installedApp.compile(), '')
    const output = await installedApp.node(process.execPath, file, {
      ...(await makeEnv()),
      ...(await signExample()),
    })
    assert.equal(
      output.trim().split('\n').at(-1),
      '[true,"ws_",true,100,true,80.01,false,"posted",10,19.99,30.01,0,"paid","offer a top-up","show the widget without a session","evc_",204,400]',
    )
  })

  it('explains what to do for each error', () => {
    const rows = readme.split('\n').filter((row) => row.startsWith('|'))
    for (const [code, { name }] of Object.entries(ERROR_CLASSES)) {
      const isTold = rows.some((row) => row.includes(`\`${code}\``) && row.includes(`\`${name}\``))
      assert(isTold, `${code} is missing`)
    }
  })
})
