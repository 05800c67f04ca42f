/** Saved cards and automatic top-up. */
import { AUTOMATIC_TERMS } from '@coffer/contract/account/automatic-terms'

export const cardsEn = {
  title: 'Saved cards',
  hint: 'The payment provider stores your cards. Only you can pay with them: here, or in an app after you enter your password. Apps cannot use them.',
  emptyTitle: 'No saved cards',
  empty: 'To save a card, select “Save this card for next time” when you add money.',
  unread: 'Your cards cannot be shown at the moment. Try again later.',
  named: (brand: string, last4: string) => `${brand} ending in ${last4}`,
  expires: (month: string) => `Expires ${month}`,
  expired: (month: string) => `Expired ${month}`,
  isDefault: 'Default',
  makeDefault: 'Make default',
  makeDefaultNamed: (card: string) => `Make ${card} the default card`,
  wasMadeDefault: (card: string) => `${card} is now the default card.`,
  remove: 'Remove',
  removeNamed: (card: string) => `Remove ${card}`,
  removeTitle: (card: string) => `Remove ${card}?`,
  removeText:
    'Nobody can pay with it anymore. If automatic top-up uses this card, it is suspended.',
  wasRemoved: (card: string) => `Card removed: ${card}.`,
  autoTitle: 'Automatic top-up',
  autoHint:
    'Adds money with a saved card when your balance is low. It is off unless you set it up.',
  autoOff: 'Automatic top-up is off.',
  autoNeedsCard:
    'To use it, save a card first: select “Save this card for next time” when you add money.',
  autoSetUp: 'Set up',
  autoChange: 'Change',
  autoEnd: 'Turn off',
  autoEnded: 'Automatic top-up is now off.',
  autoSaved: 'Automatic top-up is now on.',
  autoTerms: AUTOMATIC_TERMS.en,
  autoAgree: 'I agree to this until I turn it off:',
  threshold: 'When the balance is below',
  amount: 'Add',
  monthMax: 'At most per month',
  card: 'Card',
  amountError: (min: string, max: string) => `Enter an amount from ${min} to ${max}.`,
  thresholdError: 'Enter an amount such as 10.',
  monthMaxError: 'Enter at least the amount of one top-up.',
  suspended: {
    authentication:
      'Suspended: your bank wants you to confirm a payment yourself. Add money with this card once, or choose another card. Then save these settings again.',
    failures:
      'Suspended: the card was declined several times. Choose another card, then save these settings again.',
    card: 'Suspended: the card was removed. Choose another card, then save these settings again.',
  },
}

export type CardMessages = typeof cardsEn
