import { WalletIcon } from '../ui/icons.tsx'
import { usePage } from './page-context.ts'
import * as shell from '../ui/shell.module.css'
import * as styles from './shell.module.css'

export function Brand() {
  const { messages } = usePage()
  return (
    <p class={`${shell.brand} ${styles.brand}`}>
      <span class={shell.mark}>
        <WalletIcon />
      </span>
      {messages.brand}
    </p>
  )
}
