import { useTopup } from './context.ts'
import * as base from '../../ui/base.module.css'
import * as styles from './topup.module.css'

interface SuggestedAmountsProps {
  amounts: string[]
  chosen: string
  choose: (amount: string) => void
}

/** A group of radio buttons, so that arrow keys and screen readers work as usual. */
export function SuggestedAmounts({ amounts, chosen, choose }: SuggestedAmountsProps) {
  const { messages, format } = useTopup()
  if (amounts.length === 0) return null
  // Four in a row, or two by two: never three and one.
  const isLong = amounts.some((amount) => format.short(amount).length > 6)
  return (
    <fieldset class={isLong ? `${styles.suggested} ${styles.suggestedLong}` : styles.suggested}>
      <legend class={base.visuallyHidden}>{messages.amount.suggested}</legend>
      {amounts.map((amount) => (
        <label key={amount}>
          <input
            class={base.visuallyHidden}
            type="radio"
            name="suggested"
            value={amount}
            checked={amount === chosen}
            onChange={() => choose(amount)}
          />
          <span>{format.short(amount)}</span>
        </label>
      ))}
    </fieldset>
  )
}
