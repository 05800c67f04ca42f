/** Shown when a new credit limit waits for a second operator. */
import { Notice } from '../../ui/notice.tsx'
import { words } from '../messages.ts'
import { Approvers } from '../kit/money-result.tsx'
import { paths } from '../paths.ts'
import { ButtonLink } from '../kit/button-link.tsx'
import * as parts from '../kit/parts.module.css'

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
      <div class={parts.row}>
        <ButtonLink kind="secondary" to={paths.approvals}>
          {words.grant.approvals}
        </ButtonLink>
      </div>
    </>
  )
}
