/** The screens of a top-up that cannot continue. */
import { Button, TextButton } from '../../ui/button.tsx'
import { AlertIcon, ClockIcon, OfflineIcon } from '../../ui/icons.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { StatusScreen } from '../../ui/status-screen.tsx'
import { useTopup } from './context.ts'
import { LeaveButton } from './leave.tsx'

export function Ended() {
  const { texts, data } = useTopup()
  return (
    <StatusScreen
      icon={<ClockIcon />}
      title={texts.trouble.endedTitle}
      text={texts.trouble.ended(data.appName)}
    >
      <LeaveButton kind="secondary" />
    </StatusScreen>
  )
}

export function Frozen() {
  const { texts } = useTopup()
  return (
    <StatusScreen
      icon={<AlertIcon />}
      title={texts.trouble.frozenTitle}
      text={texts.trouble.frozen}
    >
      <LeaveButton kind="secondary" />
    </StatusScreen>
  )
}

export function Closed() {
  const { texts, data } = useTopup()
  return (
    <StatusScreen
      icon={<AlertIcon />}
      title={texts.trouble.closedTitle}
      text={texts.trouble.closed(data.appName)}
    >
      <LeaveButton kind="secondary" />
    </StatusScreen>
  )
}

export function Lost() {
  const { texts, data } = useTopup()
  return (
    <StatusScreen
      icon={<AlertIcon />}
      title={texts.trouble.lostTitle}
      text={texts.trouble.lost(data.appName)}
    >
      <LeaveButton kind="secondary" />
    </StatusScreen>
  )
}

export function Unread({ retry }: { retry: () => Promise<void> }) {
  const { texts } = useTopup()
  const [isBusy, run] = useBusy(retry)
  return (
    <StatusScreen
      icon={<OfflineIcon />}
      title={texts.trouble.unreadTitle}
      text={texts.trouble.unread}
    >
      <Button isBusy={isBusy} onClick={run}>
        {texts.trouble.retry}
      </Button>
    </StatusScreen>
  )
}

interface NoCardFormProps {
  retry: () => void
  /** undefined without a session, because a new amount needs one. */
  changeAmount: (() => void) | undefined
}

export function NoCardForm({ retry, changeAmount }: NoCardFormProps) {
  const { texts } = useTopup()
  return (
    <StatusScreen
      icon={<OfflineIcon />}
      title={texts.trouble.scriptTitle}
      text={texts.trouble.script}
    >
      <Button onClick={retry}>{texts.trouble.retry}</Button>
      {changeAmount && <TextButton onClick={changeAmount}>{texts.card.changeAmount}</TextButton>}
    </StatusScreen>
  )
}
