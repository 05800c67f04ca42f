/** The screens of a top-up that cannot continue. */
import { Button, TextButton } from '../../ui/button.tsx'
import { AlertIcon, ClockIcon, OfflineIcon } from '../../ui/icons.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { StatusScreen } from '../../ui/status-screen.tsx'
import { useTopup } from './context.ts'
import { LeaveButton } from './leave.tsx'

export function Ended() {
  const { messages, data } = useTopup()
  return (
    <StatusScreen
      icon={<ClockIcon />}
      title={messages.problem.endedTitle}
      text={messages.problem.ended(data.appName)}
    >
      <LeaveButton kind="secondary" />
    </StatusScreen>
  )
}

export function Frozen() {
  const { messages } = useTopup()
  return (
    <StatusScreen
      icon={<AlertIcon />}
      title={messages.problem.frozenTitle}
      text={messages.problem.frozen}
    >
      <LeaveButton kind="secondary" />
    </StatusScreen>
  )
}

export function Unavailable() {
  const { messages, data } = useTopup()
  return (
    <StatusScreen
      icon={<AlertIcon />}
      title={messages.problem.unavailableTitle}
      text={messages.problem.unavailable(data.appName)}
    >
      <LeaveButton kind="secondary" />
    </StatusScreen>
  )
}

export function NotFound() {
  const { messages, data } = useTopup()
  return (
    <StatusScreen
      icon={<AlertIcon />}
      title={messages.problem.notFoundTitle}
      text={messages.problem.notFound(data.appName)}
    >
      <LeaveButton kind="secondary" />
    </StatusScreen>
  )
}

export function Unreachable({ retry }: { retry: () => Promise<void> }) {
  const { messages } = useTopup()
  const [isBusy, run] = useBusy(retry)
  return (
    <StatusScreen
      icon={<OfflineIcon />}
      title={messages.problem.unreachableTitle}
      text={messages.problem.unreachable}
    >
      <Button isBusy={isBusy} onClick={run}>
        {messages.problem.retry}
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
  const { messages } = useTopup()
  return (
    <StatusScreen
      icon={<OfflineIcon />}
      title={messages.problem.scriptTitle}
      text={messages.problem.script}
    >
      <Button onClick={retry}>{messages.problem.retry}</Button>
      {changeAmount && <TextButton onClick={changeAmount}>{messages.card.changeAmount}</TextButton>}
    </StatusScreen>
  )
}
