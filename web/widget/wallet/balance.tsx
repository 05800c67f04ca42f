import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as styles from './wallet.module.css'

interface BalanceProps {
  amount: number
  currency: string
  children: ComponentChildren
}

export function Balance({ amount, currency, children }: BalanceProps) {
  const { messages, money } = usePage()
  const text = money.plain(amount, currency)
  const announcement = useAnnouncement(amount, messages.wallet.balanceChanged(text))
  return (
    <section class={styles.balance}>
      <p class={`${styles.balanceLabel} ${base.muted}`}>{messages.wallet.balance}</p>
      {/* A new key starts the animation again when the amount changes. */}
      <p class={styles.balanceAmount} key={text} style={{ '--length': text.length }}>
        <span class={announcement ? base.appear : ''}>{text}</span>
      </p>
      <p class={base.visuallyHidden} role="status">
        {announcement}
      </p>
      {children}
    </section>
  )
}

/** Empty at first, because screen readers read the initial balance with the page. */
function useAnnouncement(amount: number, text: string): string {
  const known = useRef(amount)
  const [announcement, setAnnouncement] = useState('')
  useEffect(() => {
    if (known.current !== amount) setAnnouncement(text)
    known.current = amount
  }, [amount])
  return announcement
}
