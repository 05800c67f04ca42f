import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Button, TextButton } from '../../ui/button.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { ContactSupport } from '../../ui/contact-support.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { Notice } from '../../ui/notice.tsx'
import { Balance } from './balance.tsx'
import type { Wallet } from '../calls.ts'
import { usePage } from '../page-context.ts'
import { WalletFooter } from './footer.tsx'
import { TransactionList } from './transaction-list.tsx'
import type { WalletView } from './watch-wallet.ts'
import * as base from '../../ui/base.module.css'
import * as styles from './wallet.module.css'

interface WalletContentProps {
  wallet: Wallet
  problem: WalletView['problem']
  retry: () => Promise<void>
}

export function WalletContent({ wallet, problem, retry }: WalletContentProps) {
  const { messages, money, post, data } = usePage()
  const frozenId = useId()
  const greeting = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const focus = () => greeting.current?.focus()
    // After a login or sign-up, the embedding page passes the focus to this frame as soon as the wallet is shown. A
    // frame that the visitor has not entered takes no focus.
    if (document.hasFocus()) focus()
    else addEventListener('focus', focus, { once: true, signal: AbortSignal.timeout(1_000) })
  }, [])
  /** The balance before the top-up. When it changes, the hint is no longer needed. */
  const [balanceBefore, setBalanceBefore] = useState<number>()

  function askForTopup() {
    post({ type: 'SERVICE_OPEN_TOPUP' })
    setBalanceBefore(wallet.balance)
  }

  return (
    <>
      <h1 class={styles.greeting} ref={greeting} tabIndex={-1} dir="auto">
        {messages.wallet.greeting(wallet.user.firstName)}
      </h1>
      {problem && <StaleNotice problem={problem} retry={retry} />}
      {!wallet.isActive && (
        <Notice kind="warning" id={frozenId}>
          <strong>{messages.wallet.frozenTitle}</strong> {messages.wallet.frozen}{' '}
          <ContactSupport messages={messages} supportUrl={data.supportUrl} />
        </Notice>
      )}
      <Balance amount={wallet.balance} currency={wallet.currency}>
        <Button
          isDisabled={!wallet.isActive}
          describedBy={wallet.isActive ? undefined : frozenId}
          onClick={askForTopup}
        >
          <PlusIcon />
          {messages.wallet.addMoney}
        </Button>
        {balanceBefore === wallet.balance && (
          <p class={`${styles.asked} ${base.muted} ${base.appear}`} role="status">
            {messages.wallet.topupAsked(data.appName)}
          </p>
        )}
        {wallet.held > 0 && (
          <p class={`${styles.asked} ${base.muted}`}>
            {messages.wallet.sources.hold}: {money.plain(wallet.held, wallet.currency)}
          </p>
        )}
        {wallet.spendable < wallet.balance && (
          <p class={`${styles.asked} ${base.muted}`}>
            {messages.wallet.spendable(
              data.appName,
              money.plain(wallet.spendable, wallet.currency),
            )}
          </p>
        )}
      </Balance>
      <TransactionList transactions={wallet.transactions} />
      <WalletFooter />
    </>
  )
}

function StaleNotice({ problem, retry }: Omit<WalletContentProps, 'wallet'>) {
  const { messages } = usePage()
  const isOffline = problem === 'offline'
  return (
    <Notice kind="info">
      {isOffline ? messages.wallet.offline : messages.wallet.stale}{' '}
      {!isOffline && <RetryLink retry={retry} />}
    </Notice>
  )
}

function RetryLink({ retry }: Pick<WalletContentProps, 'retry'>) {
  const { messages } = usePage()
  const [isBusy, run] = useBusy(retry)
  return (
    <TextButton isBusy={isBusy} onClick={run}>
      {messages.wallet.retry}
    </TextButton>
  )
}
