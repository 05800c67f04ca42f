import { useState } from 'preact/hooks'
import { SelectField } from '../form-parts.tsx'
import { usePage } from '../page-context.ts'
import { chooseTheme, readTheme, THEMES } from '../preferences.ts'

export function ThemePart() {
  const { display } = usePage().words
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
