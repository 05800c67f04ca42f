import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import * as table from './table.module.css'

interface AppLinkProps {
  app: { clientId: string; name: string }
  /** The tab of the app's page that opens. */
  tab?: string
}

/** The name of a client app in a table, which leads to its page. */
export function AppLink({ app: { clientId, name }, tab }: AppLinkProps) {
  const path = paths.app(clientId)
  return (
    <Link to={tab === undefined ? path : `${path}?tab=${tab}`}>
      <span class={table.clamp} dir="auto" title={name}>
        {name}
      </span>
    </Link>
  )
}
