import { WalletIcon } from '../ui/icons.tsx'
import { usePage } from './page-context.ts'
import * as shell from '../ui/shell.module.css'
import * as badge from './kit/badge.module.css'
import * as styles from './shell.module.css'

export function Brand() {
  const { data } = usePage()
  return (
    <p class={`${shell.brand} ${styles.brand}`}>
      <span class={shell.mark}>
        <WalletIcon />
      </span>
      <span>Coffer</span>
      {data.isSandbox && (
        <span
          class={`${badge.badge} ${badge.warning}`}
          title="No real money moves in this deployment."
        >
          Test mode
        </span>
      )}
    </p>
  )
}
