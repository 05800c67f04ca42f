import { AlertIcon } from '../ui/icons.tsx'
import { words } from './messages.ts'
import { Link, paths } from './route.tsx'
import { Statement } from './status-screen.tsx'

export function NotFound() {
  return (
    <Statement icon={<AlertIcon />} title={words.notFound.title} text={words.notFound.text}>
      <Link class="button button-secondary" to={paths.apps}>
        {words.notFound.back}
      </Link>
    </Statement>
  )
}
