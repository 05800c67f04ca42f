import { useTopup } from './context.ts'
import * as base from '../../ui/base.module.css'
import * as card from './card.module.css'

export function TestCards() {
  const { data, messages } = useTopup()
  if (!data.isSandbox) return null
  const { title, hint, succeeds, funds, declined, threeDSecure } = messages.testCards
  const cards = [
    ['4242 4242 4242 4242', succeeds],
    ['4000 0000 0000 9995', funds],
    ['4000 0000 0000 0002', declined],
    ['4000 0025 0000 3155', threeDSecure],
  ]
  return (
    <details class={card.testCards}>
      <summary>{title}</summary>
      <dl>
        {cards.map(([number, does]) => (
          <div key={number}>
            <dt>{number}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p class={base.muted}>{hint}</p>
    </details>
  )
}
