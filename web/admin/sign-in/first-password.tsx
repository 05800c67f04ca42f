import { useContext } from 'preact/hooks'
import { Notice } from '../../ui/notice.tsx'
import { words } from '../messages.ts'
import { OperatorContext } from '../operator-context.ts'
import { Link, paths } from '../route.tsx'

/** Shown on every page until the operator has chosen a password. */
export function FirstPasswordNotice() {
  const { hasFirstPassword } = useContext(OperatorContext)
  if (!hasFirstPassword) return null
  return (
    <div class="content-notice">
      <Notice kind="warning">
        {words.firstPassword.text}{' '}
        <Link class="text-button" to={paths.me}>
          {words.firstPassword.link}
        </Link>
      </Notice>
    </div>
  )
}
