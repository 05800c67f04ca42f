import { useId, useState } from 'preact/hooks'
import { Button, TextButton, WindowLink } from '../../ui/button.tsx'
import { NewWindowIcon, PlusIcon } from '../../ui/icons.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { Notice } from '../../ui/notice.tsx'
import { Balance } from './balance.tsx'
import type { Wallet } from '../calls.ts'
import { usePage } from '../page-context.ts'
import { TransactionList } from './transaction-list.tsx'
import type { WalletView } from './watch-wallet.ts'

interface WalletContentProps {
  wallet: Wallet
  trouble: WalletView['trouble']
  retry: () => Promise<void>
}

export function WalletContent({ wallet, trouble, retry }: WalletContentProps) {
  const { words, post, data } = usePage()
  const frozenId = useId()
  const [isTopupAsked, setIsTopupAsked] = useState(false)

  function askForTopup() {
    post({ type: 'SERVICE_OPEN_TOPUP' })
    setIsTopupAsked(true)
  }

  return (
    <>
      <h1 class="greeting" tabIndex={-1} dir="auto">
        {words.wallet.greeting(wallet.user.firstName)}
      </h1>
      {trouble && <StaleNotice trouble={trouble} retry={retry} />}
      {!wallet.isActive && (
        <Notice kind="warning" id={frozenId}>
          <strong>{words.wallet.frozenTitle}</strong> {words.wallet.frozen}
        </Notice>
      )}
      <Balance amount={wallet.balance} currency={wallet.currency}>
        <Button
          isDisabled={!wallet.isActive}
          describedBy={wallet.isActive ? undefined : frozenId}
          onClick={askForTopup}
        >
          <PlusIcon />
          {words.wallet.addMoney}
        </Button>
        {isTopupAsked && (
          <p class="asked muted appear" role="status">
            {words.wallet.topupAsked(data.appName)}
          </p>
        )}
      </Balance>
      <TransactionList transactions={wallet.transactions} />
      <WalletFooter />
    </>
  )
}

function StaleNotice({ trouble, retry }: Omit<WalletContentProps, 'wallet'>) {
  const { words } = usePage()
  const isOffline = trouble === 'offline'
  return (
    <Notice kind="info">
      {isOffline ? words.wallet.offline : words.wallet.stale}{' '}
      {!isOffline && <RetryLink retry={retry} />}
    </Notice>
  )
}

function RetryLink({ retry }: Pick<WalletContentProps, 'retry'>) {
  const { words } = usePage()
  const [isBusy, run] = useBusy(retry)
  return (
    <TextButton isBusy={isBusy} onClick={run}>
      {words.wallet.retry}
    </TextButton>
  )
}

function WalletFooter() {
  const { words, post, data } = usePage()
  const [isSwitchAsked, setIsSwitchAsked] = useState(false)

  function askForSwitch() {
    post({ type: 'SERVICE_LOGOUT_REQUEST' })
    setIsSwitchAsked(true)
  }

  return (
    <div class="wallet-footer">
      <WindowLink href="/account">
        {words.wallet.manageAccount}
        <NewWindowIcon />
        <span class="visually-hidden">{words.wallet.opensWindow}</span>
      </WindowLink>
      <TextButton onClick={askForSwitch}>{words.wallet.switchAccount}</TextButton>
      {isSwitchAsked && (
        <p class="asked muted appear" role="status">
          {words.wallet.switchAsked(data.appName)}
        </p>
      )}
    </div>
  )
}
