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
      title={texts.problem.endedTitle}
      text={texts.problem.ended(data.appName)}
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
      title={texts.problem.frozenTitle}
      text={texts.problem.frozen}
    >
      <LeaveButton kind="secondary" />
    </StatusScreen>
  )
}

export function Unavailable() {
  const { texts, data } = useTopup()
  return (
    <StatusScreen
      icon={<AlertIcon />}
      title={texts.problem.unavailableTitle}
      text={texts.problem.unavailable(data.appName)}
    >
      <LeaveButton kind="secondary" />
    </StatusScreen>
  )
}

export function NotFound() {
  const { texts, data } = useTopup()
  return (
    <StatusScreen
      icon={<AlertIcon />}
      title={texts.problem.notFoundTitle}
      text={texts.problem.notFound(data.appName)}
    >
      <LeaveButton kind="secondary" />
    </StatusScreen>
  )
}

export function Unreachable({ retry }: { retry: () => Promise<void> }) {
  const { texts } = useTopup()
  const [isBusy, run] = useBusy(retry)
  return (
    <StatusScreen
      icon={<OfflineIcon />}
      title={texts.problem.unreachableTitle}
      text={texts.problem.unreachable}
    >
      <Button isBusy={isBusy} onClick={run}>
        {texts.problem.retry}
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
      title={texts.problem.scriptTitle}
      text={texts.problem.script}
    >
      <Button onClick={retry}>{texts.problem.retry}</Button>
      {changeAmount && <TextButton onClick={changeAmount}>{texts.card.changeAmount}</TextButton>}
    </StatusScreen>
  )
}
