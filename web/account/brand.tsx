import { WalletIcon } from '../ui/icons.tsx'
import { usePage } from './page-context.ts'

export function Brand() {
  const { words } = usePage()
  return (
    <p class="brand">
      <span class="mark">
        <WalletIcon />
      </span>
      {words.brand}
    </p>
  )
}
