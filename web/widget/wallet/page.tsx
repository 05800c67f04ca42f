/** The wallet of a session, updated while it is visible. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { useHeadingFocus } from '../../ui/use-heading-focus.ts'
import { Frame } from '../frame.tsx'
import { usePage } from '../page-context.ts'
import { WalletContent } from './content.tsx'
import { WalletPlaceholder } from './placeholder.tsx'
import { SessionEnded, WalletFailed } from './status-screens.tsx'
import { watchWallet, type WalletView, type WalletWatch } from './watch-wallet.ts'

export function WalletPage({ session }: { session: string }) {
  const [view, setView] = useState<WalletView>({ wallet: null, problem: null })
  const watch = useRef<WalletWatch>(undefined)
  const { wallet, problem } = view

  useEffect(() => {
    watch.current = watchWallet(session, setView)
    return watch.current.stop
  }, [session])
  useNotifyParent(view)
  useHeadingFocus(wallet || !problem ? 'wallet' : problem)

  const retry = async () => watch.current?.readNow()
  return <Frame isTransient={!wallet && !problem}>{renderScreen()}</Frame>

  function renderScreen() {
    if (problem === 'ended') return <SessionEnded />
    if (wallet) return <WalletContent wallet={wallet} problem={problem} retry={retry} />
    if (problem) return <WalletFailed problem={problem} retry={retry} />
    return <WalletPlaceholder />
  }
}

function useNotifyParent({ wallet, problem }: WalletView) {
  const { post } = usePage()
  const sent = useRef<number>(undefined)
  useEffect(() => {
    if (!wallet) return
    if (sent.current === undefined) post({ type: 'SERVICE_WALLET_LOADED' })
    else if (sent.current !== wallet.balance) post({ type: 'SERVICE_WALLET_UPDATED' })
    sent.current = wallet.balance
  }, [wallet])
  useEffect(() => {
    if (problem !== 'ended') return
    post({ type: 'SERVICE_AUTH_REQUIRED', reason: 'session_expired' })
  }, [problem])
}
