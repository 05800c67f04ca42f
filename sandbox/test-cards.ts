export type DeclineName = keyof typeof DECLINES

/** Decline code → error code and message, as Stripe documents them for its test cards. */
export const DECLINES = {
  generic_decline: ['card_declined', 'Your card was declined.'],
  insufficient_funds: ['card_declined', 'Your card has insufficient funds.'],
  lost_card: ['card_declined', 'Your card was declined.'],
  stolen_card: ['card_declined', 'Your card was declined.'],
  fraudulent: ['card_declined', 'Your card was declined.'],
  card_velocity_exceeded: [
    'card_declined',
    'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
  ],
  expired_card: ['expired_card', 'Your card has expired.'],
  incorrect_cvc: ['incorrect_cvc', "Your card's security code is incorrect."],
  processing_error: [
    'processing_error',
    'An error occurred while processing your card. Try again in a little bit.',
  ],
  authentication_required: [
    'authentication_required',
    'Your card was declined. This transaction requires authentication.',
  ],
  test_mode_live_card: [
    'card_declined',
    'Your card was declined. Your request was in test mode, but used a non test (live) card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
  ],
} as const

export type TestCard = {
  brand: string
  funding: 'credit' | 'debit'
  country: string
  decline?: DeclineName
  threeDSecure?: 'required' | 'redirect'
  dispute?: 'fraudulent' | 'product_not_received' | 'inquiry'
  refund?: 'pending' | 'fails'
  /** A description for people, printed at startup. */
  does: string
}

type Entry = [number: string, names: string, card: Partial<TestCard> & { does: string }]

const ENTRIES: Entry[] = [
  ['4242424242424242', 'visa', { does: 'succeeds' }],
  ['4000056655665556', 'visa_debit', { funding: 'debit', does: 'succeeds' }],
  ['5555555555554444', 'mastercard', { brand: 'mastercard', does: 'succeeds' }],
  ['5200828282828210', 'mastercard_debit', { brand: 'mastercard', does: 'succeeds' }],
  ['378282246310005', 'amex', { brand: 'amex', does: 'succeeds' }],
  ['6011111111111117', 'discover', { brand: 'discover', does: 'succeeds' }],
  ['3056930009020004', 'diners', { brand: 'diners', does: 'succeeds' }],
  ['3566002020360505', 'jcb', { brand: 'jcb', does: 'succeeds' }],
  ['6200000000000005', 'unionpay', { brand: 'unionpay', does: 'succeeds' }],
  [
    '4000000000000002',
    'chargeDeclined visa_chargeDeclined',
    { decline: 'generic_decline', does: 'is declined' },
  ],
  [
    '4000000000009995',
    'chargeDeclinedInsufficientFunds visa_chargeDeclinedInsufficientFunds',
    { decline: 'insufficient_funds', does: 'is declined: insufficient funds' },
  ],
  [
    '4000000000009987',
    'chargeDeclinedLostCard visa_chargeDeclinedLostCard',
    { decline: 'lost_card', does: 'is declined: lost card' },
  ],
  [
    '4000000000009979',
    'chargeDeclinedStolenCard visa_chargeDeclinedStolenCard',
    { decline: 'stolen_card', does: 'is declined: stolen card' },
  ],
  [
    '4000000000000069',
    'chargeDeclinedExpiredCard',
    { decline: 'expired_card', does: 'is declined: expired' },
  ],
  [
    '4000000000000127',
    'chargeDeclinedIncorrectCvc',
    { decline: 'incorrect_cvc', does: 'is declined: wrong security code' },
  ],
  [
    '4000000000000119',
    'chargeDeclinedProcessingError',
    { decline: 'processing_error', does: 'is declined: processing error' },
  ],
  [
    '4000000000006975',
    'chargeDeclinedVelocityLimitExceeded',
    { decline: 'card_velocity_exceeded', does: 'is declined: too many attempts' },
  ],
  ['4100000000000019', 'radarBlock', { decline: 'fraudulent', does: 'is blocked as fraudulent' }],
  [
    '4000000000000341',
    'chargeCustomerFail',
    { decline: 'generic_decline', does: 'is accepted by the form and declined when charged' },
  ],
  [
    '4000002500003155',
    'authenticationRequiredOnSetup',
    { threeDSecure: 'required', does: '3-D Secure, then succeeds' },
  ],
  [
    '4000002760003184',
    'authenticationRequired',
    { threeDSecure: 'required', does: '3-D Secure every time, then succeeds' },
  ],
  [
    '4000000000003220',
    'threeDSecure2Required',
    { threeDSecure: 'required', does: '3-D Secure 2, then succeeds' },
  ],
  [
    '4000000000003063',
    'threeDSecureRequired',
    { threeDSecure: 'redirect', does: '3-D Secure by redirect, then succeeds' },
  ],
  [
    '4000008400001629',
    'threeDSecureRequiredChargeDeclined',
    { threeDSecure: 'required', decline: 'generic_decline', does: '3-D Secure, then declined' },
  ],
  [
    '4000008260003178',
    'authenticationRequiredChargeDeclinedInsufficientFunds',
    {
      threeDSecure: 'required',
      decline: 'insufficient_funds',
      does: '3-D Secure, then declined: insufficient funds',
    },
  ],
  [
    '4000000000000259',
    'createDispute',
    { dispute: 'fraudulent', does: 'succeeds, then is disputed as fraudulent' },
  ],
  [
    '4000000000002685',
    'createDisputeProductNotReceived',
    { dispute: 'product_not_received', does: 'succeeds, then is disputed: not received' },
  ],
  [
    '4000000000001976',
    'createDisputeInquiry',
    { dispute: 'inquiry', does: 'succeeds, then an inquiry is opened' },
  ],
  [
    '4000000000007726',
    'pendingRefund',
    { refund: 'pending', does: 'succeeds; refunds stay pending' },
  ],
  [
    '4000000000005126',
    'refundFail',
    { refund: 'fails', does: 'succeeds; refunds fail afterwards' },
  ],
]

const DEFAULTS = { brand: 'visa', funding: 'credit', country: 'US' } as const

export const TEST_CARDS = new Map<string, TestCard>(
  ENTRIES.map(([number, , card]) => [number, { ...DEFAULTS, ...card }]),
)

/** `pm_card_visa` and `tok_visa` → number. */
const NAMED = new Map(
  ENTRIES.flatMap(([number, names]) =>
    names.split(' ').flatMap((name): [string, string][] => [
      [`pm_card_${name}`, number],
      [`tok_${name}`, number],
    ]),
  ),
)

export function findNamedCard(name: string): string | undefined {
  return NAMED.get(name)
}

/** A valid number that is not a test card behaves like a real card in Stripe's test mode. */
export function findCard(number: string): TestCard {
  const live = { ...DEFAULTS, decline: 'test_mode_live_card', does: 'is declined' } as const
  return TEST_CARDS.get(number) ?? live
}

export function passesLuhn(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false
  const sum = number
    .split('')
    .toReversed()
    .reduce((total, digit, index) => {
      const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2)
      return total + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)
  return sum % 10 === 0
}
