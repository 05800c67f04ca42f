/** One person: the wallet with its history, the client apps, the top-ups, and the actions of operators. */
import { useState } from 'preact/hooks'
import { Notice, Done } from '../../ui/notice.tsx'
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import type { Person } from '../calls.ts'
import { BackIcon } from '../kit/icons.tsx'
import { ReadFailed } from '../kit/list-parts.tsx'
import { NotFound } from '../not-found.tsx'
import { usePage } from '../page-context.ts'
import { PersonApps } from './apps.tsx'
import { PersonFigures } from './figures.tsx'
import { PersonHead } from './head.tsx'
import { PersonHistory } from './history.tsx'
import { PersonHolds } from './holds.tsx'
import { PersonTopups } from './topups.tsx'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import { useRead } from '../kit/use-read.ts'
import * as detail from '../kit/detail.module.css'
import * as parts from '../kit/parts.module.css'
import * as styles from './people.module.css'

const TAB_NAMES = { history: 'History', apps: 'Client apps', topups: 'Top-ups', holds: 'Holds' }

const TABS = ['history', 'apps', 'topups', 'holds'] as const

interface PersonPageProps {
  id: string
  parameters: Record<string, string>
}

export function PersonPage({ id, parameters }: PersonPageProps) {
  const { call } = usePage()
  const {
    response: person,
    refusal,
    reload,
  } = useRead(id, () => call('GET /api/admin/people/one', { id }))
  const [done, setDone] = useState('')
  const current = TABS.find((each) => each === parameters['tab']) ?? 'history'
  if (refusal && !refusal.offline && refusal.code === 'NOT_FOUND') return <NotFound />
  return (
    <div class={parts.section}>
      <Link class={parts.back} to={paths.people}>
        <BackIcon />
        People
      </Link>
      <PersonHead id={id} person={person} reload={reload} onDone={setDone} />
      {done && <Done key={done} text={done} takesFocus />}
      {person?.email === null && (
        <Notice kind="info">
          This person was erased. Name, email and logins are deleted; the wallet and its records are
          kept.
        </Notice>
      )}
      {person?.isActive === false && (
        <Notice kind="warning">
          This wallet is frozen. Debits and new top-ups are refused. Incoming money is still
          credited.
        </Notice>
      )}
      {person ? <PersonFigures person={person} /> : <FiguresPlaceholder />}
      <nav class={detail.tabs} aria-label="Sections of this person">
        {TABS.map((each) => (
          <Link
            key={each}
            to={each === 'history' ? paths.person(id) : `${paths.person(id)}?tab=${each}`}
            isCurrent={each === current}
          >
            {TAB_NAMES[each]}
          </Link>
        ))}
      </nav>
      {refusal && <ReadFailed retry={reload} />}
      {person && <Part {...{ person, parameters, reload }} tab={current} onDone={setDone} />}
    </div>
  )
}

interface PartProps {
  person: Person
  tab: (typeof TABS)[number]
  parameters: Record<string, string>
  reload: () => Promise<void>
  onDone: (text: string) => void
}

function Part({ person, tab, parameters, reload, onDone }: PartProps) {
  if (tab === 'holds') return <PersonHolds person={person} reload={reload} />
  if (tab === 'apps') return <PersonApps apps={person.apps} />
  if (tab === 'topups') return <PersonTopups person={person} />
  return <PersonHistory {...{ person, parameters, reload, onDone }} />
}

function FiguresPlaceholder() {
  return (
    <div class={`${detail.figures} ${styles.personFigures}`} aria-hidden="true">
      <dl>
        {[8, 6, 10, 9].map((length) => (
          <div key={length}>
            <dt>
              <TextPlaceholder length={7} />
            </dt>
            <dd class={detail.figure}>
              <TextPlaceholder length={length} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
