/** Has the same boxes as the card form, so that nothing moves when it appears. */
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import { useTopup } from './context.ts'

export function TopupPlaceholder() {
  const { texts } = useTopup()
  return (
    <>
      <h1 class="visually-hidden">{texts.loading}</h1>
      <div class="topup" aria-hidden="true">
        <div class="topup-head">
          <p class="topup-title">
            <TextPlaceholder length={10} />
          </p>
        </div>
        <span class="placeholder topup-sum-placeholder" />
        <FieldsPlaceholder />
        <span class="placeholder topup-button-placeholder" />
      </div>
    </>
  )
}

export function FieldsPlaceholder() {
  return (
    <div class="card-fields-placeholder" aria-hidden="true">
      {['number', 'date', 'code'].map((name) => (
        <div key={name}>
          <TextPlaceholder length={10} />
          <span class="placeholder" />
        </div>
      ))}
    </div>
  )
}
