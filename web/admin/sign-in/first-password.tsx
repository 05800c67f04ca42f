import { useContext } from 'preact/hooks'
import { Notice } from '../../ui/notice.tsx'
import { OperatorContext } from '../operator-context.ts'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import * as parts from '../kit/parts.module.css'

/** Shown on every page until the operator has chosen a password. */
export function FirstPasswordNotice() {
  const { hasFirstPassword } = useContext(OperatorContext)
  if (!hasFirstPassword) return null
  return (
    <div class={parts.contentNotice}>
      <Notice kind="warning">
        You are using your initial password. <Link to={paths.me}>Choose your own password</Link>
      </Notice>
    </div>
  )
}
