import { AlertIcon } from '../ui/icons.tsx'
import { StatusScreen } from '../ui/status-screen.tsx'
import { words } from './messages.ts'
import { Link, paths } from './route.tsx'

export function NotFound() {
  return (
    <StatusScreen icon={<AlertIcon />} title={words.notFound.title} text={words.notFound.text}>
      <Link class="button button-secondary" to={paths.apps}>
        {words.notFound.back}
      </Link>
    </StatusScreen>
  )
}
