import { topupEn, type TopupMessages } from './messages-en.ts'

export async function chooseTopupMessages(lang: string): Promise<TopupMessages> {
  if (lang !== 'de') return topupEn
  return import('./messages-de.ts').then(
    ({ topupDe }) => topupDe,
    () => topupEn,
  )
}
