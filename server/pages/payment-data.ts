import { toWireNumber } from '@coffer/contract/money'
import type { PaymentPageData } from '../../web/page-data.ts'
import type { Config } from '../config.ts'

/** What a page with the card form needs, in the widget and at /account. */
export function paymentData(config: Config, appName: string): PaymentPageData {
  const { currency, topupMinMinor, topupMaxMinor, topupMaxPerDayMinor, stripe } = config
  return {
    appName,
    isSandbox: stripe?.isTest ?? false,
    currency: currency.code,
    exponent: currency.exponent,
    minAmount: toWireNumber(topupMinMinor, currency),
    maxAmount: toWireNumber(topupMaxMinor, currency),
    maxPerDay: toWireNumber(topupMaxPerDayMinor, currency),
    scriptUrl: stripe?.scriptUrl ?? '',
    publishableKey: stripe?.publishableKey ?? '',
  }
}
