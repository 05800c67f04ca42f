/** Shown when a new credit limit waits for a second operator. */
import { Notice } from '../../ui/notice.tsx'
import { words } from '../messages.ts'
import { Approvers } from '../kit/money-result.tsx'
import { Link, paths } from '../route.tsx'

interface LimitWaitsProps {
  /** The limit until then. */
  text: string
  approvers: readonly string[]
}

export function LimitWaits({ text, approvers }: LimitWaitsProps) {
  return (
    <>
      <Notice kind="warning">{text}</Notice>
      <Approvers emails={approvers} />
      <div class="row">
        <Link class="button button-secondary" to={paths.approvals}>
          {words.grant.approvals}
        </Link>
      </div>
    </>
  )
}
