import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  amountMaxMinor,
  BALANCE_MAX_MINOR,
  findCurrency,
  formatAmount,
  parseAmount,
  toWireNumber,
} from './money.ts'

const USD = findCurrency('USD')
const JPY = findCurrency('JPY')
const KWD = findCurrency('KWD')
assert.ok(USD && JPY && KWD)
const CURRENCIES = [USD, JPY, KWD]

describe('money', () => {
  it('supports exponents 0, 2 and 3, and rejects an unknown currency', () => {
    assert.deepEqual([USD.exponent, JPY.exponent, KWD.exponent], [2, 0, 3])
    for (const code of ['usd', 'XXX', '', 'USD ', 'BIF CLP'])
      assert.equal(findCurrency(code), undefined)
  })

  it('parses plain decimal numbers from text', () => {
    assert.equal(parseAmount('19.99', USD), 1999n)
    assert.equal(parseAmount('0.07', USD), 7n)
    assert.equal(parseAmount('5.1', USD), 510n)
    assert.equal(parseAmount('0', USD), 0n)
    assert.equal(parseAmount('999999999.99', USD), 99_999_999_999n)
    assert.equal(parseAmount('999999999', JPY), 999_999_999n)
    assert.equal(parseAmount('1.234', KWD), 1234n)
    assert.equal(parseAmount('999999999.99', KWD), 999_999_999_990n)
  })

  it('rejects everything else and never rounds', () => {
    const wrong = [
      '',
      '-1',
      '+1',
      '1e2',
      '1E2',
      '01',
      '.5',
      '5.',
      '1.234',
      '0.30000000000000004',
      '1_000',
      '1,5',
    ]
    const huge = [
      '1000000000',
      '1000000000.00',
      '9007199254740993',
      'Infinity',
      'NaN',
      '0x10',
      ' 1',
      '1 ',
      '１',
    ]
    for (const text of [...wrong, ...huge]) assert.equal(parseAmount(text, USD), undefined, text)
    assert.equal(parseAmount('5.0', JPY), undefined)
    assert.equal(parseAmount('1.2345', KWD), undefined)
    assert.equal(parseAmount('999999999.991', KWD), undefined)
  })

  it('formats amounts that parse back to the same value, and keeps every balance exact as a JSON number', () => {
    const samples = [
      0n,
      1n,
      7n,
      10n,
      99n,
      1999n,
      100_000n,
      BALANCE_MAX_MINOR,
      BALANCE_MAX_MINOR - 1n,
    ]
    let seed = 88_172_645_463_325_252n
    for (let index = 0; index < 50_000; index++) {
      seed = (seed * 6_364_136_223_846_793_005n + 1n) % 2n ** 64n
      samples.push(seed % (BALANCE_MAX_MINOR + 1n))
    }
    for (const currency of [USD, JPY, KWD]) {
      for (const minor of samples) {
        const text = formatAmount(minor, currency)
        const wire = JSON.stringify(toWireNumber(minor, currency))
        assert.equal(Number(text), Number(wire))
        // The printed number, padded to the currency's decimals, equals the decimal text.
        const [whole = '', decimals = ''] = wire.split('.')
        const padded =
          currency.exponent === 0 ? whole : `${whole}.${decimals.padEnd(currency.exponent, '0')}`
        assert.equal(padded, text)
        if (minor <= amountMaxMinor(currency)) assert.equal(parseAmount(text, currency), minor)
      }
    }
    assert.equal(formatAmount(-1999n, USD), '-19.99')
  })

  it('accepts the maximum of each currency and nothing above it', () => {
    for (const [currency, most, above] of [
      [USD, '999999999.99', ['1000000000', '1000000000.00', '999999999.999']],
      [JPY, '999999999', ['1000000000', '999999999.9', '1000000000000']],
      [KWD, '999999999.990', ['999999999.991', '999999999.999', '1000000000']],
    ] as const) {
      assert.equal(parseAmount(most, currency), amountMaxMinor(currency))
      for (const text of above) assert.equal(parseAmount(text, currency), undefined, text)
    }
  })

  it('reads missing decimals as zeros, and only digits as digits', () => {
    assert.deepEqual(
      ['7', '7.1', '7.12', '7.123', '0.001', '0.1', '0'].map((text) => parseAmount(text, KWD)),
      [7000n, 7100n, 7120n, 7123n, 1n, 100n, 0n],
    )
    for (const text of ['1\n', '\n1', '1.1\n', '1..1', '1.1.1', '00', '00.1', '-0', '1.', '٣']) {
      for (const currency of CURRENCIES)
        assert.equal(parseAmount(text, currency), undefined, JSON.stringify(text))
    }
  })

  it('formats with all decimals of the currency, with a sign only below zero', () => {
    const format = (minor: bigint) => [USD, JPY, KWD].map((each) => formatAmount(minor, each))
    assert.deepEqual(format(0n), ['0.00', '0', '0.000'])
    assert.deepEqual(format(7n), ['0.07', '7', '0.007'])
    assert.deepEqual(format(-7n), ['-0.07', '-7', '-0.007'])
    assert.deepEqual(format(123_456n), ['1234.56', '123456', '123.456'])
    assert.deepEqual(
      [USD, JPY, KWD].map((each) => toWireNumber(-123_456n, each)),
      [-1234.56, -123_456, -123.456],
    )
  })

  it('lists every currency once, with its number of decimals', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
    const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)))
    const count = { 0: 0, 2: 0, 3: 0 }
    for (const code of codes) {
      const found = findCurrency(code)
      if (found === undefined) continue
      assert.equal(found.code, code)
      count[found.exponent]++
    }
    assert.deepEqual(count, { 0: 17, 2: 131, 3: 7 })
  })
})
