import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findCurrency } from '@coffer/contract/money'
import { createAmountGuide, suggestAmounts } from './amount-rules.ts'
import type { Topup } from './context.ts'
import { createAmountFormat, fromMinor, toMinor } from './format.ts'
import { topupEn } from './messages-en.ts'
import { readAmount } from './read-amount.ts'

function read(typed: string, exponent = 2, decimalSign = '.') {
  const rules = { exponent, minMinor: 100n, maxMinor: 100_000_000n, decimalSign }
  const result = readAmount(typed, rules)
  return 'amount' in result ? result.amount : result.error
}

describe('a typed amount', () => {
  it('is parsed in the locale of the visitor', () => {
    assert.equal(read('25'), '25.00')
    assert.equal(read(' $1,234.5 '), '1234.50')
    assert.equal(read('12.'), '12.00')
    assert.equal(read('12.34'), '12.34')
    assert.equal(read('007.10'), '7.10')
    assert.equal(read('1.234,5', 2, ','), '1234.50')
    assert.equal(read("1'234.50"), '1234.50')
    assert.equal(read('1\u202f234,50', 2, ','), '1234.50')
    assert.equal(read('٢٥٫٥', 2, '٫'), '25.50')
    assert.equal(read('١٬٢٣٤٫٥', 2, '٫'), '1234.50')
    assert.equal(read('٢٥٫٥', 2, ','), '25.50')
    assert.equal(read('١٫٢٣٤', 2, ','), 'decimals')
    assert.equal(read('١٫٢٣٤', 2, '.'), 'decimals')
  })

  it('is parsed in another notation if that is unambiguous', () => {
    assert.equal(read('12,5'), '12.50')
    assert.equal(read('12.5', 2, ','), '12.50')
    assert.equal(read('1.234,50'), '1234.50')
    assert.equal(read('1,234'), '1234.00')
    assert.equal(read('1.234', 2, ','), '1234.00')
  })

  it('is never rounded', () => {
    assert.equal(read('0.1234'), 'decimals')
    assert.equal(read('19.999'), 'decimals')
    assert.equal(read('100.5', 0), 'whole')
    assert.equal(read('100', 0), '100')
    assert.equal(read('1.234', 3), 'tens')
    assert.equal(read('1.230', 3), '1.230')
    assert.equal(read('4503599627370496.01'), 'large')
  })

  it('is limited by inclusive bounds', () => {
    assert.equal(read('0.99'), 'small')
    assert.equal(read('1'), '1.00')
    assert.equal(read('1000000'), '1000000.00')
    assert.equal(read('1000000.01'), 'large')
  })

  it('is rejected in any other form', () => {
    for (const text of ['', ' ', '.', ',', '-5', '+5', '1e3', '0x10', '5 5 a', '1.2.3', '1,2,3'])
      assert.equal(read(text), 'empty', text)
  })
})

describe('the digits of every script', () => {
  it('are read by their value', () => {
    const rows = ['٠', '۰', '߀', '०', '০', '၀', '๐', '༠', '០', '０'].map((zero) =>
      zero.charCodeAt(0),
    )
    for (const zero of rows) {
      const typed = [1, 0, 2, 3, 4, 5, 6].map((value) => String.fromCharCode(zero + value))
      assert.equal(read(typed.join('')), 'large')
      assert.equal(read(typed.slice(0, 6).join('')), '102345.00', typed.join(''))
      const rest = [7, 8, 9].map((value) => String.fromCharCode(zero + value))
      assert.equal(read(rest.join('')), '789.00', rest.join(''))
    }
  })

  it('match their position in their row of ten, up to U+FFFF', () => {
    const isDigit = (code: number) => /^\p{Nd}$/u.test(String.fromCharCode(code))
    let value = -1
    for (let code = 0; code <= 0xff_ff; code += 1) {
      value = isDigit(code) ? (value + 1) % 10 : -1
      if (value > 0) assert.equal(read(`${String.fromCharCode(code)}00`), `${value}00.00`)
    }
  })

  it('are rejected if the value is uncertain', () => {
    for (const typed of ['𝟏𝟐', '𝟙𝟚', '𞥑𞥒', '①②', 'Ⅻ', '½'])
      assert.equal(read(typed), 'empty', typed)
  })
})

describe('an amount that the page writes', () => {
  const LOCALES = 'en-US en-IN de-DE de-CH fr-FR pt-BR ar-EG fa-IR bn-BD mr-IN ne-NP my-MM'.split(
    ' ',
  )
  const all = Intl.supportedValuesOf('currency').flatMap((code) => findCurrency(code) ?? [])

  function readBack(locale: string, { code, exponent }: (typeof all)[number]) {
    const { plain, decimalSign } = createAmountFormat([locale], code, exponent)
    for (const minor of [10n, 50n, 1_230n, 100_000n, 123_456_780n]) {
      const amount = fromMinor(minor, exponent)
      const rules = { exponent, decimalSign, minMinor: 1n, maxMinor: 10n ** 12n }
      const written = plain(amount)
      assert.deepEqual(readAmount(written, rules), { amount }, `${code} ${locale} ${written}`)
    }
  }

  it('is read back as the same amount, in every currency', () => {
    assert(all.length > 100)
    for (const currency of all) readBack('de-DE', currency)
  })

  it('is read back as the same amount, in every language', () => {
    for (const locale of LOCALES) {
      for (const currency of all.filter(({ code }) => /USD|JPY|KWD|ISK|UGX/.test(code))) {
        readBack(locale, currency)
      }
    }
  })

  it('has all decimals of the currency, whatever the browser uses', () => {
    const digitsOf = (text: string) => text.replaceAll(/\D/g, '')
    for (const { code, exponent } of all) {
      const { full } = createAmountFormat(['en-US'], code, exponent)
      assert.equal(digitsOf(full(fromMinor(1_234_567n, exponent))), '1234567', code)
    }
    const krona = createAmountFormat(['en-US'], 'ISK', 0)
    assert.equal(digitsOf(krona.full('2500.00')), '2500')
  })
})

describe('the rules of the form', () => {
  function guideFor(currency: string, minAmount: number, maxAmount: number, locale = 'en-US') {
    const exponent = findCurrency(currency)?.exponent ?? 2
    const format = createAmountFormat([locale], currency, exponent)
    const data = { exponent, minAmount, maxAmount }
    return createAmountGuide({ data, format, messages: topupEn } as unknown as Topup)
  }
  const { errors, between } = topupEn.amount

  it('accept an amount within the limits', () => {
    const guide = guideFor('USD', 1, 1000)
    assert.deepEqual(guide.read('25'), { amount: '25.00', error: '' })
    assert.deepEqual(guide.suggested, ['10.00', '25.00', '50.00', '100.00'])
    assert.equal(guide.between, between('$1.00', '$1,000.00'))
    assert.equal(guide.refused, errors.refused('$1.00', '$1,000.00'))
  })

  it('explain what is wrong, with an example in the currency', () => {
    const dollar = guideFor('USD', 1, 1000)
    const yen = guideFor('JPY', 100, 100_000)
    const dinar = guideFor('KWD', 1, 300)
    const wrong: [{ read: typeof dollar.read }, string, string][] = [
      [dollar, '', errors.empty('25.00')],
      [dollar, '0.99', errors.small('$1.00')],
      [dollar, '1000.01', errors.large('$1,000.00')],
      [dollar, '1.234', errors.decimals(2, '12.50')],
      [yen, '', errors.empty('2500')],
      [yen, '100.5', errors.whole],
      [yen, '99', errors.small('¥100')],
      [dinar, '1.234', errors.tens('1.230')],
      [dinar, '1.2345', errors.decimals(3, '1.230')],
      [guideFor('USD', 3, 4), 'x', errors.empty('3.00')],
      [guideFor('EUR', 1, 1000, 'de-DE'), '1,234', errors.decimals(2, '12,50')],
    ]
    for (const [guide, typed, error] of wrong) {
      assert.deepEqual(guide.read(typed), { amount: '', error }, typed)
    }
  })

  it('have exact limits where doubles are inexact', () => {
    const guide = guideFor('USD', 0.1 + 0.2, 1.1 * 3)
    assert.equal(guide.read('0.30').amount, '0.30')
    assert.equal(guide.read('3.30').amount, '3.30')
    assert.equal(guide.read('3.31').amount, '')
  })
})

describe('suggested amounts', () => {
  const suggest = (min: string, max: string, exponent = 2) =>
    suggestAmounts(toMinor(min, exponent), toMinor(max, exponent), exponent).map((minor) =>
      fromMinor(minor, exponent),
    )

  it('are round and within the bounds, whatever the currency', () => {
    assert.deepEqual(suggest('1', '1000'), ['10.00', '25.00', '50.00', '100.00'])
    assert.deepEqual(suggest('1', '1000', 0), ['100', '250', '500', '1000'])
    assert.deepEqual(suggest('100', '100000', 0), ['1000', '2500', '5000', '10000'])
    assert.deepEqual(suggest('1', '300', 3), ['1.000', '2.500', '5.000', '10.000'])
    assert.deepEqual(suggest('500', '90000'), ['1000.00', '2500.00', '5000.00', '10000.00'])
  })

  it('are multiples of ten if the processor requires it', () => {
    assert.deepEqual(suggest('0.010', '0.100', 3), ['0.010', '0.050', '0.100'])
  })

  it('are as many as fit', () => {
    assert.deepEqual(suggest('20', '60'), ['25.00', '50.00'])
    assert.deepEqual(suggest('3', '4'), [])
    assert.deepEqual(suggest('0.10', '1'), ['0.10', '0.25', '0.50', '1.00'])
  })
})

describe('the format of amounts', () => {
  it('depends on the locale of the visitor and has all decimals of the currency', () => {
    const german = createAmountFormat(['de-DE'], 'EUR', 2)
    assert.equal(german.plain('1234.50'), '1234,50')
    assert.equal(german.isSymbolFirst, false)
    assert.equal(german.symbol, '€')
    // The space allows a line break.
    assert.equal(german.short('25.00'), '25 €')
    assert.equal(german.decimalSign, ',')
    const dinar = createAmountFormat(['en-US'], 'IQD', 3)
    assert.equal(dinar.plain('1.230'), '1.230')
    const dollar = createAmountFormat(['en-US'], 'USD', 2)
    assert.deepEqual([dollar.short('25.00'), dollar.short('2.50')], ['$25', '$2.50'])
    assert.deepEqual([dollar.symbol, dollar.isSymbolFirst], ['$', true])
  })
})
