import type { Overlap } from '../calls.ts'
import { Choice } from './form-parts.tsx'
import * as forms from './forms.module.css'

const OVERLAP_NAMES = { none: 'Not at all', '1h': '1 hour', '24h': '24 hours', '7d': '7 days' }

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
      <legend>The old secret stays valid for</legend>
      {OVERLAPS.map((each) => (
        <Choice
          key={each}
          type="radio"
          name="overlap"
          value={each}
          label={OVERLAP_NAMES[each]}
          text={hints[each]}
          isChecked={each === overlap}
          onChange={() => onChange(each)}
        />
      ))}
    </fieldset>
  )
}
