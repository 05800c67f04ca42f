type WriteTerms = (threshold: string, amount: string, monthMax: string, card: string) => string

/** What a person agrees to for automatic top-up. The page shows it; the service stores it and sends it by email. */
export const AUTOMATIC_TERMS: Readonly<Record<'en' | 'de' | 'es', WriteTerms>> = {
  en: (threshold, amount, monthMax, card) =>
    `When my balance is below ${threshold}, charge ${amount} to ${card}: at most once per hour, and at most ${monthMax} per month.`,
  de: (threshold, amount, monthMax, card) =>
    `Wenn mein Guthaben unter ${threshold} liegt, werden ${amount} von ${card} abgebucht: höchstens einmal pro Stunde und höchstens ${monthMax} pro Monat.`,
  es: (threshold, amount, monthMax, card) =>
    `Cuando mi saldo sea inferior a ${threshold}, cobrar ${amount} a ${card}: como máximo una vez por hora y ${monthMax} al mes.`,
}
