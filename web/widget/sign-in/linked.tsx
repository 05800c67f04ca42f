import { CheckIcon } from '../../ui/icons.tsx'
import { Spinner } from '../../ui/placeholder.tsx'
import { usePage } from '../page-context.ts'
import { Statement } from '../status-screen.tsx'

export function Linked() {
  const { words, data } = usePage()
  return (
    <Statement
      kind="good"
      icon={<CheckIcon />}
      title={words.linked.title}
      text={words.linked.text(data.appName)}
    >
      <Spinner />
      <p class="auth-small muted">{words.linked.hint(data.appName)}</p>
    </Statement>
  )
}
