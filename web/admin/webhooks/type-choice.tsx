import { EVENT_TYPES } from '../kit/event-types.ts'
import { Choice } from '../kit/form-parts.tsx'
import * as forms from '../kit/forms.module.css'

interface TypeChoiceProps {
  types: readonly string[] | null
  onChange: (types: readonly string[] | null) => void
}

export function TypeChoice({ types, onChange }: TypeChoiceProps) {
  return (
    <>
      <fieldset class={forms.choices}>
        <legend>Which events</legend>
        <Choice
          type="radio"
          name="which"
          value="all"
          label="All events"
          text="Also types that are added later. Recommended."
          isChecked={types === null}
          onChange={() => onChange(null)}
        />
        <Choice
          type="radio"
          name="which"
          value="some"
          label="Only some types"
          text="The sequence numbers then have gaps, although no event is missing."
          isChecked={types !== null}
          onChange={() => onChange(types ?? [])}
        />
      </fieldset>
      {types && (
        <fieldset class={forms.choices}>
          <legend>Types</legend>
          {EVENT_TYPES.map((type) => (
            <label key={type} class={forms.choice}>
              <input
                type="checkbox"
                name="types"
                value={type}
                checked={types.includes(type)}
                onChange={(event) => {
                  const others = types.filter((each) => each !== type)
                  onChange(event.currentTarget.checked ? [...others, type] : others)
                }}
              />
              <code>{type}</code>
            </label>
          ))}
        </fieldset>
      )}
    </>
  )
}
