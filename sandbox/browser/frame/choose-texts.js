const en = {
  form: 'Card details',
  number: 'Card number',
  expiry: 'Expiration date',
  cvc: 'Security code',
  expiryHint: 'MM / YY',
  cvcHint: 'CVC',
  test: 'Test mode',
  testCards: 'Use a test card',
  success: 'Succeeds',
  threeDSecure: '3-D Secure',
  declined: 'Declined',
  funds: 'No funds',
  dispute: 'Disputed later',
  incomplete_number: 'Your card number is incomplete.',
  invalid_number: 'Your card number is invalid.',
  incomplete_expiry: "Your card's expiration date is incomplete.",
  invalid_expiry_month: "Your card's expiration date is invalid.",
  invalid_expiry_year: "Your card's expiration year is invalid.",
  invalid_expiry_year_past: "Your card's expiration year is in the past.",
  incomplete_cvc: "Your card's security code is incomplete.",
}

/** @type {typeof en} */
const de = {
  form: 'Kartendaten',
  number: 'Kartennummer',
  expiry: 'Ablaufdatum',
  cvc: 'Prüfziffer',
  expiryHint: 'MM / JJ',
  cvcHint: 'CVC',
  test: 'Testmodus',
  testCards: 'Testkarte einsetzen',
  success: 'Klappt',
  threeDSecure: '3-D Secure',
  declined: 'Abgelehnt',
  funds: 'Kein Guthaben',
  dispute: 'Später angefochten',
  incomplete_number: 'Die Kartennummer ist unvollständig.',
  invalid_number: 'Die Kartennummer ist ungültig.',
  incomplete_expiry: 'Das Ablaufdatum ist unvollständig.',
  invalid_expiry_month: 'Das Ablaufdatum ist ungültig.',
  invalid_expiry_year: 'Das Ablaufjahr ist ungültig.',
  invalid_expiry_year_past: 'Das Ablaufjahr liegt in der Vergangenheit.',
  incomplete_cvc: 'Die Prüfziffer ist unvollständig.',
}

/** @typedef {keyof typeof en} TextName */

/** @param {string} locale @returns {Record<TextName, string>} */
export function chooseTexts(locale) {
  return locale.toLowerCase().startsWith('de') ? de : en
}
