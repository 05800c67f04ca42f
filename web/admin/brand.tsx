import { WalletIcon } from '../ui/icons.tsx'
import { words } from './messages.ts'
import { usePage } from './page-context.ts'

export function Brand() {
  const { data } = usePage()
  return (
    <p class="brand">
      <span class="mark">
        <WalletIcon />
      </span>
      <span class="brand-name">{words.brand}</span>
      {data.isSandbox && (
        <span class="badge badge-warning" title={words.testModeHint}>
          {words.testMode}
        </span>
      )}
    </p>
  )
}
