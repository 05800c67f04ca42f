import { chooseMessages } from '../ui/choose-messages.ts'
import { en, type Messages } from './messages-en.ts'

export function chooseWidgetMessages(languages: readonly string[]): Promise<Messages> {
  return chooseMessages<Messages>(languages, en, {
    de: async () => (await import('./messages-de.ts')).de,
    es: async () => (await import('./messages-es.ts')).es,
  })
}
