/** What the search of the admin area finds: people, client apps, operations and top-ups. */
import type { ComponentChildren } from 'preact'
import type { Result } from '../ui/request.ts'
import { TextPlaceholder } from '../ui/placeholder.tsx'
import { AppLink, nameOf } from './kit/links.tsx'
import { ReadFailed } from './kit/list-parts.tsx'
import { SERVICE } from './kit/operation-form.tsx'
import { readParts } from './kit/read-parts.ts'
import { formatUtc } from './kit/format-time.ts'
import { useRead } from './kit/use-read.ts'
import { usePage } from './page-context.ts'
import { paths } from './paths.ts'
import { Link } from './route.tsx'
import { OPERATION_KINDS } from './kit/operation-kinds.ts'
import * as base from '../ui/base.module.css'
import * as parts from './kit/parts.module.css'
import * as styles from './search-results.module.css'

const SHOWN_MAX = 5
/** Each part takes a tenth of a second; older operations are searched on request. */
const PARTS_MAX = 20

export function SearchResults({ text: given }: { text: string }) {
  const text = given.trim().slice(0, 100)
  return (
    <div class={parts.section}>
      <div class={parts.sectionHead}>
        <h1 class={parts.sectionTitle} tabIndex={-1} dir="auto">
          {text ? `Results for “${text}”` : 'Search'}
        </h1>
      </div>
      {text ? (
        <Results key={text} text={text} />
      ) : (
        <p class={base.muted}>Enter an email, a name, a reference, an app or a transaction ID.</p>
      )}
    </div>
  )
}

function Results({ text }: { text: string }) {
  const { call } = usePage()
  const search = new URLSearchParams({ search: text })
  return (
    <div class={parts.partStack}>
      <FoundOperations reference={text} />
      <Found
        title="People"
        none="No person has this name, email or serviceUserId."
        all={`${paths.people}?${search}`}
        read={() => call('GET /api/admin/people', { search: text })}
        hitsOf={({ people, nextCursor }) => ({
          hasMore: nextCursor !== null,
          hits: people.map((person) => ({
            key: person.id,
            link: <Link to={paths.person(person.id)}>{nameOf(person)}</Link>,
            second: person.email,
          })),
        })}
      />
      <Found
        title="Client apps"
        none="No client app has this name."
        all={`${paths.apps}?${search}`}
        read={() => call('GET /api/admin/client-apps', { search: text })}
        hitsOf={({ clientApps, nextCursor }) => ({
          hasMore: nextCursor !== null,
          hits: clientApps.map((app) => ({
            key: app.clientId,
            link: <AppLink app={app} />,
            second: app.clientId,
          })),
        })}
      />
      <FoundTopups id={text} />
    </div>
  )
}

function FoundOperations({ reference }: { reference: string }) {
  const { call, money, data } = usePage()
  return (
    <Found
      title="Operations with this reference"
      none="No operation has exactly this reference ID."
      all={paths.reference(reference)}
      allText="Search older operations"
      read={() =>
        readParts(
          (cursor) => call('GET /api/admin/operations/recent', { referenceId: reference, cursor }),
          undefined,
          {
            isEmpty: ({ operations }) => operations.length === 0,
            isWanted: () => true,
            partsMax: PARTS_MAX,
          },
        )
      }
      hitsOf={({ operations, nextCursor, searchedFrom }) => ({
        hasMore: nextCursor !== null,
        noneYet: searchedFrom === null ? undefined : `None since ${formatUtc(searchedFrom)}.`,
        hits: operations.map((operation) => {
          const { id, kind, type, amount, createdAt, clientApp, person } = operation
          const { referenceType, referenceId } = operation
          const app = clientApp?.clientId ?? SERVICE
          return {
            key: id,
            link: (
              <Link to={paths.operation(app, referenceType, referenceId)}>
                {OPERATION_KINDS[kind]}{' '}
                {money.signed(type === 'credit' ? amount : -amount, data.currency)}
              </Link>
            ),
            second: [clientApp?.name, person.name, `${formatUtc(createdAt)} UTC`]
              .filter(Boolean)
              .join(' · '),
          }
        }),
      })}
    />
  )
}

/** The id of a top-up is a UUID, like the references of many apps. */
function FoundTopups({ id }: { id: string }) {
  const { call, money } = usePage()
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return null
  return (
    <Found
      title="Top-ups"
      none="No top-up has this ID."
      all={`${paths.topups}?${new URLSearchParams({ search: id })}`}
      read={() => call('GET /api/admin/topups', { search: id })}
      hitsOf={({ topups, currency, nextCursor }) => ({
        hasMore: nextCursor !== null,
        hits: topups.map((topup) => ({
          key: topup.id,
          link: <Link to={paths.topup(topup.id)}>{money.plain(topup.amount, currency)}</Link>,
          second: `${formatUtc(topup.createdAt)} UTC`,
        })),
      })}
    />
  )
}

interface Hits {
  hits: { key: string; link: ComponentChildren; second: string | null }[]
  hasMore: boolean
  /** If nothing matches so far: what was searched. */
  noneYet?: string | undefined
}

interface FoundProps<Output> {
  title: string
  none: string
  /** The page with all results. */
  all: string
  allText?: string
  read: () => Promise<Result<Output>>
  hitsOf: (response: Output) => Hits
}

function Found<Output>({ title, none, all, allText, read, hitsOf }: FoundProps<Output>) {
  const { response, refusal, reload } = useRead('', read)
  const found = response && hitsOf(response)
  return (
    <section class={parts.part}>
      <h2>{title}</h2>
      {refusal && <ReadFailed retry={reload} />}
      {!found && !refusal && (
        <p>
          <TextPlaceholder length={20} />
          <span class={base.visuallyHidden}>Loading …</span>
        </p>
      )}
      {found?.hits.length === 0 && <p class={base.muted}>{found.noneYet ?? none}</p>}
      {found && found.hits.length > 0 && (
        <ul class={styles.hits}>
          {found.hits.slice(0, SHOWN_MAX).map(({ key, link, second }) => (
            <li key={key} dir="auto">
              {link}
              <span class={base.muted}>{second}</span>
            </li>
          ))}
        </ul>
      )}
      {found && (found.hasMore || found.hits.length > SHOWN_MAX) && (
        <Link class={styles.all} to={all}>
          {allText ?? `All results in ${title}`}
        </Link>
      )}
    </section>
  )
}
