/** Has the same boxes as the card form, so that nothing moves when it appears. */
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import { useTopup } from './context.ts'
import * as base from '../../ui/base.module.css'
import * as placeholder from '../../ui/placeholder.module.css'
import * as card from './card.module.css'
import * as styles from './topup.module.css'

export function TopupPlaceholder() {
  const { messages } = useTopup()
  return (
    <>
      <h1 class={base.visuallyHidden}>{messages.loading}</h1>
      <div class={styles.topup} aria-hidden="true">
        <div class={styles.head}>
          <p class={styles.title}>
            <TextPlaceholder length={10} />
          </p>
        </div>
        <span class={`${placeholder.placeholder} ${card.topupSumPlaceholder}`} />
        <FieldsPlaceholder />
        <span class={`${placeholder.placeholder} ${card.topupButtonPlaceholder}`} />
      </div>
    </>
  )
}

export function FieldsPlaceholder() {
  return (
    <div class={card.fieldsPlaceholder} aria-hidden="true">
      {['number', 'date', 'code'].map((name) => (
        <div key={name}>
          <TextPlaceholder length={10} />
          <span class={placeholder.placeholder} />
        </div>
      ))}
    </div>
  )
}
