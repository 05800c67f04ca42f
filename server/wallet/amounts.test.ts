/** Many valid and invalid numbers as raw JSON text: accepted exactly or rejected, never rounded. */
import { batch } from '@coffer/contract/server/batch'
import { checkBalance, credit, debit, readWallet } from '@coffer/contract/server/wallet'
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeLinkedUser } from '../test/factories.ts'
import { assertRefusal, call, callRaw, openSetup, type Setup } from '../test/setup.ts'

const PER_CURRENCY = 1_000
const AT_ONCE = 250
const CURRENCIES = [
  { code: 'USD', decimals: 2 },
  { code: 'JPY', decimals: 0 },
  { code: 'KWD', decimals: 3 },
]

/** The expected result for a JSON text as an amount: its minor units, or why it is rejected. */
function judge(json: string, decimals: number): bigint | 'INVALID_AMOUNT' | 'INVALID_REQUEST' {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return 'INVALID_REQUEST'
  }
  // A number is validated by its text, not by the double that it would be parsed to.
  const numeral = typeof value === 'number' ? json.trim() : value
  if (typeof numeral !== 'string') return 'INVALID_AMOUNT'
  const [whole = '', fraction, ...rest] = numeral.split('.')
  const isDigits = (text: string) =>
    text !== '' && Array.from(text).every((c) => '0123456789'.includes(c))
  if (rest.length > 0 || !isDigits(whole) || whole.length > 9) return 'INVALID_AMOUNT'
  if (whole.length > 1 && whole.startsWith('0')) return 'INVALID_AMOUNT'
  if (fraction !== undefined && (!isDigits(fraction) || fraction.length > decimals)) {
    return 'INVALID_AMOUNT'
  }
  const isAboveMost = whole === '999999999' && (fraction ?? '').padEnd(3, '0') > '990'
  const minor = BigInt(whole + (fraction ?? '').padEnd(decimals, '0'))
  return minor === 0n || isAboveMost ? 'INVALID_AMOUNT' : minor
}

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), minLength, maxLength })
const whole = fc.oneof(
  { weight: 4, arbitrary: fc.nat(999_999_999).map(String) },
  { weight: 2, arbitrary: fc.nat(99).map(String) },
  fc.constantFrom('0', '999999999', '1000000000', '9007199254740993', ''),
  digits(1, 12),
)
const fraction = fc.oneof(
  { weight: 3, arbitrary: digits(1, 3).map((text) => `.${text}`) },
  { weight: 2, arbitrary: fc.constant('') },
  fc.constantFrom('.', '.0', '.00', '.000', '.99', '.990', '.991', '.999', '.30000000000000004'),
  digits(0, 70).map((text) => `.${text}`),
)
const plain = fc.tuple(whole, fraction).map((parts) => parts.join(''))
const sign = fc.constantFrom('-', '+', '--', '')
const exponent = fc.constantFrom('e0', 'E2', 'e-2', 'e+1', 'e400', 'e', '')
const decorated = fc.tuple(sign, plain, exponent).map((parts) => parts.join(''))
const cents = fc.tuple(fc.nat(99_999), fc.nat(99_999), fc.constantFrom(10, 100, 1000))
const artefact = cents.map(([a, b, unit]) => `${a / unit + b / unit}`)
const double = fc.double().map((value) => `${value}`)
const noise = fc.string({ unit: fc.constantFrom(...Array.from('0019.,eE+-_ xn\t')), maxLength: 12 })
const numeral = fc.oneof(
  { weight: 6, arbitrary: plain },
  { weight: 3, arbitrary: decorated },
  { weight: 3, arbitrary: artefact },
  double,
  noise,
)
const ODDITIES = [
  ['true', 'false', 'null', '[]', '[1]', '{}', '{"amount":1}', '"abc"', '" 1"', '"1 "', '""', ''],
  ['-0', '0', '0.0', '"0"', '1e400', '-1e400', '1e-400', '9007199254740993', '0x10', '1_000', '.5'],
  ['NaN', 'Infinity', '"NaN"', '0.1', ' 1', '\n1\t', '"\\u0031"', '"１"', '"٣"', '1n', "'1'", '01'],
  ['0.30000000000000004', '999999999.99', '1000000000', '"999999999.991"', '0.07', '"19.99"', '5.'],
].flat()
const corpus = fc.oneof(
  { weight: 7, arbitrary: numeral },
  { weight: 3, arbitrary: numeral.map((text) => JSON.stringify(text)) },
)

for (const { code, decimals } of CURRENCIES) {
  describe(`amounts in ${code}`, () => {
    let setup: Setup
    before(async () => {
      setup = await openSetup({ CURRENCY: code, APP_REQUESTS_PER_SECOND: '1000000' })
    })
    after(() => setup.harness.end())

    async function balancesOf() {
      const { rows } = await setup.harness.admin.query<{ sum: string; count: string }>(
        `select (select sum(balance) from ledger.wallets) as sum,
          (select count(*) from ledger.operations where kind = 'credit') as count`,
      )
      return { sum: BigInt(rows[0]?.sum ?? 0), count: Number(rows[0]?.count) }
    }

    /** Posts one text as an amount and checks the response; returns the credited amount. */
    async function post(json: string, serviceUserId: string, referenceId: string): Promise<bigint> {
      const { clientId, clientSecret } = setup.app
      const fields = { clientId, clientSecret, serviceUserId, referenceType: 'CORPUS', referenceId }
      const body = JSON.stringify(fields).replace('{', `{"amount":${json},`)
      const response = await callRaw(setup, credit, body)
      const verdict = judge(json, decimals)
      if (typeof verdict === 'bigint') {
        assert.equal(response.statusCode, 200, `${json} is refused: ${response.body}`)
        return verdict
      }
      assert.equal(response.statusCode, 400, `${json} returns ${response.statusCode}`)
      assertRefusal(response, credit, verdict)
      return 0n
    }

    it(`accept exactly the plain decimals among ${PER_CURRENCY} numbers, without rounding`, async () => {
      const { harness, app } = setup
      // Many wallets, so that none of them reaches the largest balance.
      const making = Array.from({ length: 50 }, () => makeLinkedUser(harness.context, app))
      const users = await Promise.all(making)
      const sample = fc.sample(corpus, { numRuns: PER_CURRENCY, seed: 20_250_301 })
      const texts = [...ODDITIES, ...sample]
      const start = await balancesOf()
      let added = 0n
      let accepted = 0
      for (let from = 0; from < texts.length; from += AT_ONCE) {
        const posting = texts.slice(from, from + AT_ONCE).map((json, index) => {
          const user = users[index % users.length]
          return post(json, user?.serviceUserId ?? '', `${from + index}`)
        })
        const amounts = await Promise.all(posting)
        added += amounts.reduce((sum, amount) => sum + amount, 0n)
        accepted += amounts.filter((amount) => amount > 0n).length
      }
      const end = await balancesOf()
      assert.equal(end.sum - start.sum, added)
      assert.equal(end.count, accepted)
      assert(accepted > PER_CURRENCY / 10 && accepted < PER_CURRENCY * 0.9, `${accepted} accepted`)
    })

    it('are described in the error of the call and of the batch', async () => {
      const { serviceUserId } = setup.user
      const [most, example, places] = {
        USD: ['999999999.99', '19.99', 'at most 2 decimals'],
        JPY: ['999999999', '1999', 'no decimals'],
        KWD: ['999999999.990', '1.999', 'at most 3 decimals'],
      }[code] as [string, string, string]
      const format = `a decimal number or string with ${places} and no exponent, such as ${example}. Amounts are never rounded.`
      const positive = `Invalid amount. The field amount must be positive and at most ${most}: ${format}`
      const missing =
        'Invalid amount. The field amount is missing. It must be a decimal number or string such as 19.99.'
      const pair = { referenceType: 'TEXT', referenceId: '1' }
      for (const [amount, error] of [
        [0, positive],
        [-1, positive],
        ['1.2345', positive],
        [undefined, missing],
      ] as const) {
        const fields = { serviceUserId, amount, ...pair }
        const expected = { error, code: 'INVALID_AMOUNT', field: 'amount' }
        assert.deepEqual((await call(setup, debit, fields)).json(), expected)
        const operations = [{ type: 'debit', ...fields }]
        const { results } = (await call(setup, batch, { operations })).json()
        assert.deepEqual(results, [{ status: 400, ...expected }])
      }
      const check = await call(setup, checkBalance, { serviceUserId, requiredAmount: '-1' })
      const zero = `Invalid amount. The field requiredAmount must be 0 or more, and at most ${most}: ${format}`
      assert.equal(check.json().error, zero)
    })

    it('keep amounts exact that doubles cannot represent, in requests and responses', async () => {
      const { harness, app } = setup
      const user = await makeLinkedUser(harness.context, app)
      const { serviceUserId, walletId } = user
      const amounts = ['19.99', '0.07', '1.005', '999999999.99', '999999999', '4.35', '1', '0.001']
      const own = amounts.filter((each) => typeof judge(each, decimals) === 'bigint')
      let expected = 0n
      for (const route of [credit, debit]) {
        for (const amount of own) {
          const minor = judge(amount, decimals) as bigint
          expected += route === credit ? minor : -minor
          const pair = { referenceType: route.path, referenceId: amount }
          const response = await call(setup, route, { serviceUserId, amount, ...pair })
          assert.equal(response.statusCode, 200)
          assert.equal(await shownBalance(serviceUserId), pointed(expected))
          const { rows } = await harness.admin.query<{ balance: string }>(
            'select balance from ledger.wallets where id = $1',
            [walletId],
          )
          assert.equal(rows[0]?.balance, expected.toString())
        }
      }
      assert.equal(expected, 0n)
    })

    /** The balance in the text of the response, before a parser turns it into a double. */
    async function shownBalance(serviceUserId: string) {
      const { body } = await call(setup, readWallet, { serviceUserId, limit: 1 })
      return /^\{"balance":([\d.]+),/.exec(body)?.[1]
    }

    function pointed(minor: bigint): string {
      if (decimals === 0) return minor.toString()
      const text = minor.toString().padStart(decimals + 1, '0')
      const tail = text.slice(-decimals).replace(/0+$/, '')
      return text.slice(0, -decimals) + (tail && `.${tail}`)
    }
  })
}
