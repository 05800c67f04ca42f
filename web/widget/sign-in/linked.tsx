import { CheckIcon } from '../../ui/icons.tsx'
import { Spinner } from '../../ui/placeholder.tsx'
import { StatusScreen } from '../../ui/status-screen.tsx'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as signIn from '../../ui/sign-in/sign-in.module.css'

export function Linked() {
  const { messages, data } = usePage()
  return (
    <StatusScreen
      isGood
      icon={<CheckIcon />}
      title={messages.linked.title}
      text={messages.linked.text(data.appName)}
    >
      <Spinner />
      <p class={`${signIn.small} ${base.muted}`}>{messages.linked.hint(data.appName)}</p>
    </StatusScreen>
  )
}
