import { LANGUAGES, type Language } from '@coffer/contract/languages'
import { useRef, useState } from 'preact/hooks'
import { explainAsText } from '../../ui/explain-refusal.ts'
import { Done, FormError } from '../../ui/notice.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { SelectField } from '../form-parts.tsx'
import { usePage, type SectionProps } from '../page-context.ts'
import { chooseTheme, readTheme, THEMES } from '../preferences.ts'

/** Each in its own language, so that everybody finds theirs. */
const NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch', es: 'Español' }

export function LanguagePart({ account, reload }: SectionProps) {
  const { messages, call } = usePage()
  const [error, setError] = useState('')
  const [isDone, setIsDone] = useState(false)
  const chosen = useRef<Language | null>(null)
  const [isBusy, save] = useBusy(async () => {
    setError('')
    setIsDone(false)
    const result = await call('POST /api/account/language', { language: chosen.current })
    if (result.ok) await reload()
    else setError(explainAsText(result, messages))
    setIsDone(result.ok)
  })
  return (
    <>
      <FormError text={error} />
      <SelectField
        label={messages.display.languageField}
        value={account.language ?? ''}
        choices={[
          ['', messages.display.asBrowser],
          ...LANGUAGES.map((each) => [each, NAMES[each]] as const),
        ]}
        isBusy={isBusy}
        onChoose={(value) => {
          chosen.current = LANGUAGES.find((each) => each === value) ?? null
          save()
        }}
      />
      {isDone && <Done text={messages.saved} />}
    </>
  )
}

export function ThemePart() {
  const { display } = usePage().messages
  const [theme, setTheme] = useState(readTheme)
  return (
    <SelectField
      label={display.themeField}
      value={theme}
      choices={THEMES.map((each) => [each, display.themes[each]] as const)}
      onChoose={(value) => {
        const chosen = THEMES.find((each) => each === value) ?? 'auto'
        chooseTheme(chosen)
        setTheme(chosen)
      }}
    />
  )
}
