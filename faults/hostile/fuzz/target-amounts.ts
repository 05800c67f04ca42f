import { amountMaxMinor, formatAmount, parseAmount, toWireNumber } from '@coffer/contract/money'
import assert from 'node:assert/strict'
import type { FuzzTarget } from './fuzz-target.ts'

const CURRENCIES = [
  { code: 'JPY', exponent: 0 },
  { code: 'USD', exponent: 2 },
  { code: 'KWD', exponent: 3 },
] as const

/** An accepted amount is a decimal number within the limits, has exactly its value, and can be written back. */
export const AMOUNTS: FuzzTarget = {
  name: 'amounts',
  seeds: ['19.99', '0', '999999999.99', '1', '0.001', '1e5', '-1', '00.1'],
  dictionary: ['.', '0', '9', 'e', 'E', '-', '+', ' ', '999999999', '\n', ',', '0x'],
  run(input) {
    const text = input.toString()
    for (const currency of CURRENCIES) {
      const minor = parseAmount(text, currency)
      if (minor === undefined) continue
      assert(minor >= 0n && minor <= amountMaxMinor(currency))
      const [whole = '', fraction = '', ...rest] = text.split('.')
      assert(rest.length === 0 && /^\d+$/.test(whole) && fraction.length <= currency.exponent)
      const scale = 10n ** BigInt(currency.exponent - fraction.length)
      assert.equal(minor, BigInt(whole + fraction) * scale)
      assert.equal(parseAmount(formatAmount(minor, currency), currency), minor)
      assert.equal(parseAmount(String(toWireNumber(minor, currency)), currency), minor)
    }
  },
}
