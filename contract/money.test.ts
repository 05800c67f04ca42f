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

describe('money', () => {
  it('knows exponents 0, 2 and 3, and refuses what is no currency', () => {
    assert.deepEqual([USD.exponent, JPY.exponent, KWD.exponent], [2, 0, 3])
    for (const code of ['usd', 'XXX', '', 'USD ', 'BIF CLP'])
      assert.equal(findCurrency(code), undefined)
  })

  it('parses plain decimal numerals from their text', () => {
    assert.equal(parseAmount('19.99', USD), 1999n)
    assert.equal(parseAmount('0.07', USD), 7n)
    assert.equal(parseAmount('5.1', USD), 510n)
    assert.equal(parseAmount('0', USD), 0n)
    assert.equal(parseAmount('999999999.99', USD), 99_999_999_999n)
    assert.equal(parseAmount('999999999', JPY), 999_999_999n)
    assert.equal(parseAmount('1.234', KWD), 1234n)
    assert.equal(parseAmount('999999999.99', KWD), 999_999_999_990n)
  })

  it('refuses everything else, and never rounds', () => {
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

  it('formats and parses back, and every balance survives as a JSON number', () => {
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
        // The printed number, padded to the currency's decimals, is the decimal text again.
        const [whole = '', decimals = ''] = wire.split('.')
        const padded =
          currency.exponent === 0 ? whole : `${whole}.${decimals.padEnd(currency.exponent, '0')}`
        assert.equal(padded, text)
        if (minor <= amountMaxMinor(currency)) assert.equal(parseAmount(text, currency), minor)
      }
    }
    assert.equal(formatAmount(-1999n, USD), '-19.99')
  })
})
