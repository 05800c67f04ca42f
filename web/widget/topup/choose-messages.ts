import { chooseMessages } from '../../ui/choose-messages.ts'
import { topupEn, type TopupMessages } from './messages-en.ts'

export function chooseTopupMessages(lang: string): Promise<TopupMessages> {
  return chooseMessages<TopupMessages>([lang], topupEn, {
    de: async () => (await import('./messages-de.ts')).topupDe,
    es: async () => (await import('./messages-es.ts')).topupEs,
  })
}
