import type { Overlap } from '../calls.ts'
import { words } from '../messages.ts'
import { Choice } from './form-parts.tsx'
import * as forms from './forms.module.css'

const OVERLAPS: readonly Overlap[] = ['24h', '7d', '1h', 'none']

interface OverlapChoiceProps {
  overlap: Overlap
  /** What each choice means. */
  hints: Record<Overlap, string>
  onChange: (overlap: Overlap) => void
}

/** How long an old secret stays valid beside the new one. */
export function OverlapChoice({ overlap, hints, onChange }: OverlapChoiceProps) {
  return (
    <fieldset class={forms.choices}>
      <legend>{words.rotate.overlap}</legend>
      {OVERLAPS.map((each) => (
        <Choice
          key={each}
          type="radio"
          name="overlap"
          value={each}
          label={words.rotate.overlaps[each]}
          text={hints[each]}
          isChecked={each === overlap}
          onChange={() => onChange(each)}
        />
      ))}
    </fieldset>
  )
}
