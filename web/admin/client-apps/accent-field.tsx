/** The color of the app's buttons in the widget, with a preview in both color schemes. */
import { useEffect, useId, useRef } from 'preact/hooks'
import { applyAccent } from '../../ui/accent-color.ts'
import { TextButton } from '../../ui/button.tsx'
import { FieldNote } from '../../ui/field.tsx'
import { isHexColor } from './draft.ts'
import * as field from '../../ui/field.module.css'
import * as styles from './accent.module.css'

const DEFAULT_ACCENT = '#4650e5'

interface AccentFieldProps {
  value: string
  error: string | undefined
  isReadOnly: boolean
  onChange: (color: string) => void
}

export function AccentField({ value, error, isReadOnly, onChange }: AccentFieldProps) {
  const id = useId()
  const color = isHexColor(value) ? value.toLowerCase() : DEFAULT_ACCENT
  return (
    <div class={field.field}>
      <label for={id}>Accent color</label>
      <div class={styles.accent}>
        <input
          class={styles.picker}
          type="color"
          value={color}
          disabled={isReadOnly}
          aria-label="Choose the accent color"
          onInput={(event) => onChange(event.currentTarget.value)}
        />
        <div class={`${field.box} ${styles.hex}`}>
          <input
            id={id}
            name="accentColor"
            type="text"
            value={value}
            placeholder="Default"
            maxLength={7}
            readOnly={isReadOnly}
            aria-invalid={Boolean(error)}
            aria-describedby={error ? `${id}-error` : `${id}-hint`}
            autoComplete="off"
            spellcheck={false}
            onInput={(event) => onChange(event.currentTarget.value.trim())}
          />
        </div>
        <Preview key={color} color={color} />
        {value && !isReadOnly && (
          <TextButton onClick={() => onChange('')}>Use the default</TextButton>
        )}
      </div>
      <FieldNote
        id={id}
        error={error}
        hint="The color of buttons in the widget. It is adjusted where text would be hard to read."
      />
    </div>
  )
}

function Preview({ color }: { color: string }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (ref.current) applyAccent(color, ref.current)
  }, [])
  return (
    <div class={styles.preview} ref={ref} aria-hidden="true">
      <span class={styles.light}>
        <span>Add money</span>
      </span>
      <span class={styles.dark}>
        <span>Add money</span>
      </span>
    </div>
  )
}
