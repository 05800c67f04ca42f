/** The messages of the top-up page. */

export const topupEn = {
  pageTitle: (app: string) => `Add money to your wallet in ${app}`,
  loading: 'Your payment is loading.',
  owner: 'To the wallet of',

  amount: {
    title: 'Add money',
    balance: (balance: string) => `Balance: ${balance}`,
    label: 'Amount',
    suggested: 'Suggested amounts',
    between: (min: string, max: string) => `Between ${min} and ${max}.`,
    submit: 'Continue to payment',
    canceled: 'The payment was canceled and nothing was charged. You can start again.',
    errors: {
      empty: (example: string) => `Enter an amount like ${example}.`,
      whole: 'Enter a whole number. This currency has no decimals.',
      decimals: (count: number, example: string) =>
        `Use at most ${count} digits after the decimal point, as in ${example}.`,
      tens: (example: string) => `The last digit must be 0, as in ${example}.`,
      small: (min: string) => `The smallest amount is ${min}.`,
      large: (max: string) => `The largest amount is ${max} at a time.`,
      dayLimit: (max: string, time: string) =>
        `You can add up to ${max} in 24 hours. Choose a smaller amount. You can add this amount again: ${time}.`,
      refused: (min: string, max: string) =>
        `This amount is not possible. Choose one between ${min} and ${max}.`,
    },
  },

  card: {
    title: 'Pay by card',
    adding: 'You add',
    change: 'Change',
    changeWhat: 'the amount',
    changeAmount: 'Change the amount',
    pay: (amount: string) => `Pay ${amount}`,
    safe: (app: string) =>
      `Your card details go to the payment provider only. ${app} never sees them.`,
    paying: 'Paying … Keep this window open.',
  },

  /** Nothing was charged in any of these. */
  declined: {
    generic: 'Your bank declined the card. Use another card, or ask your bank why.',
    insufficient_funds:
      'There is not enough money on this card. Use another card, or a smaller amount.',
    expired_card: 'This card has expired. Check the date, or use another card.',
    incorrect_cvc: 'The security code is wrong. Check the digits on your card and try again.',
    processing_error:
      'Your bank could not process the card just now. Nothing was charged. Try again in a minute.',
    authentication:
      'Your bank could not confirm that it is you, so nothing was charged. Try again, or use another card.',
    unanswered:
      'The connection was lost before a response arrived. Try again: this amount is never charged twice.',
    unexpected:
      'The payment did not go through and nothing was charged. Try again, or use another card.',
  },

  action: {
    title: 'Your bank needs a confirmation',
    text: (amount: string) => `Confirm the payment of ${amount} with your bank.`,
    submit: 'Continue',
    otherCard: 'Use another card',
  },

  result: {
    doneTitle: (amount: string) => `${amount} added`,
    done: (balance: string, time: string) => `${time}. Your balance is ${balance}.`,
    paidTitle: 'Paid',
    paid: 'Your balance will update in a moment.',
    processingTitle: 'Your bank is processing the payment',
    processing: 'Your balance updates automatically when it is done. You can close this window.',
    processingInFrame: 'Your balance updates automatically when it is done.',
    close: (app: string) => `Back to ${app}`,
    closeYourself: 'You can close this window now.',
    toWallet: 'Back to wallet',
  },

  /** A payment that this page did not start, for example from a link: the reader may not be the payer. */
  other: {
    paidTitle: (amount: string) => `${amount} paid`,
    paid: 'The money goes to the wallet that this payment was started for. Its balance updates in a moment.',
    processingTitle: 'This payment is processing',
    processing:
      'The bank has not confirmed it yet. When it does, the money goes to the wallet that this payment was started for.',
    openTitle: 'This payment is not complete',
    failedTitle: 'This payment failed',
    canceledTitle: 'This payment was canceled',
    unpaid: (app: string) =>
      `Nothing was charged. To add money to your wallet, go back to ${app} and start a new top-up.`,
    unpaidHere: 'Nothing was charged. To add money to your wallet, start a new payment.',
    startAgain: 'Start a new payment',
  },

  problem: {
    retry: 'Try again',
    endedTitle: 'Your session has ended',
    ended: (app: string) =>
      `To protect your wallet, sessions last only a few minutes. Nothing was charged. Go back to ${app} and open the top-up again.`,
    frozenTitle: 'This wallet is frozen',
    frozen: 'You cannot add money at the moment. Contact support to unfreeze it.',
    unavailableTitle: 'Adding money is not possible here',
    unavailable: (app: string) => `Card payments are not available at the moment. Contact ${app}.`,
    scriptTitle: 'The card form did not load',
    script:
      'Nothing was charged. Check your connection and whether something blocks the payment provider. Then try again.',
    unreachableTitle: 'We cannot check your payment',
    unreachable:
      'The payment provider did not respond. If you have paid, your balance updates automatically. Check your connection and try again.',
    notFoundTitle: 'Payment not found',
    notFound: (app: string) => `Go back to ${app} and open the top-up again.`,
    providerDown:
      'The payment provider does not respond. Nothing was charged. Try again in a moment.',
    unanswered: 'No response. Nothing was charged. Check your connection and try again.',
  },

  testCards: {
    title: 'Test cards',
    hint: 'Use any future date and any security code.',
    succeeds: 'Succeeds',
    funds: 'No funds',
    declined: 'Declined',
    threeDSecure: '3-D Secure',
  },
}

export type TopupMessages = typeof topupEn
