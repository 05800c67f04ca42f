/** Generates clients from docs/openapi.json in two languages, and follows the integration guide with each. */
import { signUp } from '@coffer/contract/widget/widget'
import { createVerifier } from '@coffer/sdk'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { testEnv } from '../server/test/harness.ts'
import { inventEmail, openSignIn, PASSWORD, step } from '../server/test/sign-in.ts'
import type { Setup } from '../server/test/setup.ts'
import { ROOT } from './copy-checkout.ts'

const run = promisify(execFile)
const DOCUMENT = `${ROOT}docs/openapi.json`
/** The last version of OpenAPI Generator whose npm package contains the program itself. */
const PACKAGES = [
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@openapitools/openapi-generator-cli@1.0.18-5.0.0-beta2',
]

const TYPESCRIPT = `
import createClient from 'openapi-fetch'
import type { paths } from './schema.js'

const { COFFER_URL = '', COFFER_CLIENT_ID, COFFER_CLIENT_SECRET, LINK_CODE = '', VERIFIER = '' } = process.env
const Authorization = \`Basic \${btoa(\`\${COFFER_CLIENT_ID}:\${COFFER_CLIENT_SECRET}\`)}\`
const client = createClient<paths>({ baseUrl: COFFER_URL, headers: { Authorization } })

const link = await client.POST('/api/server/link/exchange', { body: { linkCode: LINK_CODE, verifier: VERIFIER } })
if (!link.data) throw new Error(link.error.code)
const { serviceUserId } = link.data
const session = await client.POST('/api/widget/session', { body: { serviceUserId } })
const query = { session: session.data?.sessionToken ?? '' }
const widget = await client.GET('/api/widget/wallet', { params: { query } })

const refund = { serviceUserId, amount: '20.00', referenceType: 'REFUND', referenceId: 'r-1' }
const credited = await client.POST('/api/server/wallet/credit', { body: refund })
const check = await client.GET('/api/server/wallet/check-balance', {
  params: { query: { serviceUserId, requiredAmount: '5.00' } },
})
const reference = { referenceType: 'ORDER_PAYMENT', referenceId: 'o-1' }
const payment = { serviceUserId, amount: 5, ...reference }
const paid = await client.POST('/api/server/wallet/debit', { body: payment })
const again = await client.POST('/api/server/wallet/debit', { body: payment })
const found = await client.GET('/api/server/operations', { params: { query: reference } })
const wallet = await client.GET('/api/server/wallet', { params: { query: { serviceUserId, limit: 10 } } })
const refused = await client.POST('/api/server/wallet/debit', {
  body: { ...payment, amount: 500, referenceId: 'o-2' },
})
const unknown = await client.GET('/api/server/wallet', { params: { query: { serviceUserId: 'su_unknown' } } })
console.log(JSON.stringify([
  widget.data?.user.firstName,
  credited.data?.balance,
  check.data?.hasSufficientBalance,
  paid.data?.balance,
  again.response.headers.get('idempotency-replayed'),
  again.data?.transactionId === paid.data?.transactionId,
  [found.data?.status, found.data?.serviceUserId === serviceUserId],
  wallet.data?.transactions.map(({ id, source }) => [id === paid.data?.transactionId, source]),
  [refused.response.status, refused.error?.code],
  [unknown.response.status, unknown.error?.code, unknown.error?.requiresAuth],
]))
`

const PYTHON = `
import json, os
import coffer_client as coffer

environment = os.environ
configuration = coffer.Configuration(
    host=environment["COFFER_URL"],
    username=environment["COFFER_CLIENT_ID"],
    password=environment["COFFER_CLIENT_SECRET"],
)

def refusal_of(function, *arguments):
    try:
        function(*arguments)
    except coffer.ApiException as error:
        body = json.loads(error.body)
        return error.status, body["code"], body.get("requiresAuth")

with coffer.ApiClient(configuration) as client:
    server, widget_api = coffer.ServerAPIApi(client), coffer.WidgetAPIApi(client)
    link_code, verifier = environment["LINK_CODE"], environment["VERIFIER"]
    link = server.exchange_link_code(coffer.LinkCodeRequest(link_code=link_code, verifier=verifier))
    user = link.service_user_id
    session = server.create_session(coffer.SessionRequest(service_user_id=user))
    widget = widget_api.read_widget_wallet(session.session_token)

    def operation(amount, reference_type, reference_id):
        return coffer.OperationRequest(
            service_user_id=user, amount=amount, reference_type=reference_type, reference_id=reference_id
        )

    credited = server.credit(operation("20.00", "REFUND", "r-1"))
    check = server.check_balance(user, "5.00")
    paid = server.debit(operation(5, "ORDER_PAYMENT", "o-1"))
    again, _, headers = server.debit_with_http_info(operation(5, "ORDER_PAYMENT", "o-1"))
    found = server.find_operation("ORDER_PAYMENT", "o-1")
    wallet = server.read_wallet(user, limit=10)
    print(json.dumps([
        widget.user.first_name,
        credited.balance,
        check.has_sufficient_balance,
        paid.balance,
        headers["Idempotency-Replayed"],
        again.transaction_id == paid.transaction_id,
        [found.status, found.service_user_id == user],
        [[each.id == paid.transaction_id, each.source] for each in wallet.transactions],
        refusal_of(server.debit, operation(500, "ORDER_PAYMENT", "o-2"))[:2],
        refusal_of(server.read_wallet, "su_unknown"),
    ]))
`

const EXPECTED = [
  'Grace',
  20,
  true,
  15,
  'true',
  true,
  ['posted', true],
  [
    [true, 'this_app'],
    [false, 'this_app'],
  ],
  [400, 'INSUFFICIENT_BALANCE'],
  [401, 'USER_NOT_FOUND', true],
]

const hasJava = await run('java', ['-version']).then(
  () => true,
  () => false,
)
const hasPython = await run('python3', ['-c', 'import certifi, dateutil, six, urllib3']).then(
  () => true,
  () => false,
)

describe('a client that is generated from docs/openapi.json', { timeout: 600_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-generated-'))
  let setup: Setup
  let url: string
  before(async () => {
    setup = await openSignIn()
    url = await setup.harness.app.listen({ port: 0, host: '127.0.0.1' })
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES], {
      cwd: folder,
    })
  })
  after(async () => {
    await setup.harness.end()
    rmSync(folder, { recursive: true })
  })

  /** The guide's steps before the backend: a client app, and a person who signs up in the widget and links it. */
  async function prepare(): Promise<Record<string, string>> {
    const { PATH = '', HOME = '' } = process.env
    const create = ['client-app', 'create', 'My shop', '--credit-limit', '1000']
    const { stdout } = await run(process.execPath, [`${ROOT}server/coffer.ts`, ...create], {
      env: { PATH, ...testEnv(setup.harness.databaseUrl) },
    })
    const clientId = /app_[0-9a-f]{24}/.exec(stdout)?.[0] ?? assert.fail(stdout)
    const clientSecret = /^COFFER_CLIENT_SECRET=(\S+)$/m.exec(stdout)?.[1] ?? assert.fail(stdout)
    const { verifier, challenge } = await createVerifier()
    const name = { firstName: 'Grace', lastName: 'Newcomer' }
    const person = { ...name, email: inventEmail(), password: PASSWORD }
    const { linkCode = '' } = await step(setup, signUp, { clientId, challenge, ...person })
    const credentials = { COFFER_CLIENT_ID: clientId, COFFER_CLIENT_SECRET: clientSecret }
    return { PATH, HOME, COFFER_URL: url, ...credentials, LINK_CODE: linkCode, VERIFIER: verifier }
  }

  it('follows the guide in TypeScript, with openapi-typescript and openapi-fetch', async () => {
    const bin = (name: string) => join(folder, 'node_modules', name)
    const generator = bin('openapi-typescript/bin/cli.js')
    await run(process.execPath, [generator, DOCUMENT, '-o', 'schema.d.ts'], { cwd: folder })
    writeFileSync(join(folder, 'pay.ts'), TYPESCRIPT)
    const strict = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext']
    const types = ['--typeRoots', `${ROOT}node_modules/@types`, '--types', 'node']
    await run(`${ROOT}node_modules/.bin/tsc`, [...strict, ...types, 'pay.ts'], { cwd: folder })
    const env = await prepare()
    const { stdout } = await run(process.execPath, ['pay.ts'], { cwd: folder, env })
    assert.deepEqual(JSON.parse(stdout), EXPECTED)
  })

  const skip =
    !(hasJava && hasPython) && 'needs Java, and Python with certifi, dateutil, six and urllib3'
  it('follows the guide in Python, with OpenAPI Generator', { skip }, async () => {
    const jar = join(folder, 'node_modules/@openapitools/openapi-generator-cli/bin')
    const output = ['-g', 'python', '-o', 'python', '--package-name', 'coffer_client']
    const generate = ['-jar', `${jar}/openapi-generator.jar`, 'generate', '-i', DOCUMENT, ...output]
    await run('java', generate, { cwd: folder, maxBuffer: 2 ** 24 })
    const file = join(folder, 'python', 'pay.py')
    writeFileSync(file, PYTHON)
    const { stdout } = await run('python3', [file], { cwd: folder, env: await prepare() })
    assert.deepEqual(JSON.parse(stdout), EXPECTED)
  })
})
