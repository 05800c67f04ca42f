/** Bonuses, corrections and credit limits: those that wait for a second operator, and those that are decided. */
import { useMemo, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { Done } from '../../ui/notice.tsx'
import { GrantCard } from './card.tsx'
import { notifyGrantsChanged } from '../kit/approvals-count.tsx'
import { DecidedRow, DECIDED_COLUMNS } from './decided.tsx'
import type { GrantFilter } from '../calls.ts'
import { Filters, onlyGiven } from '../kit/filters.tsx'
import { SelectField } from '../kit/form-parts.tsx'
import { Empty, NoResults, List, ReadFailed, countRows } from '../kit/list-parts.tsx'
import { usePage } from '../page-context.ts'
import { toListed, useList } from '../kit/use-read.ts'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'
import * as styles from './grants.module.css'

function readFilter({ search, state }: Record<string, string>): GrantFilter {
  const known = state === 'decided' ? state : undefined
  return onlyGiven<GrantFilter>({ search: search?.slice(0, 100), state: known })
}

export function Approvals({ parameters }: { parameters: Record<string, string> }) {
  const filter = useMemo(() => readFilter(parameters), [parameters])
  return (
    <div class={parts.section}>
      <div class={parts.sectionHead}>
        <div class={parts.appTitle}>
          <h1 class={parts.sectionTitle} tabIndex={-1}>
            Approvals
          </h1>
          <p class={base.muted}>
            Bonuses, corrections and credit limits above the 24-hour threshold wait here for a
            second operator. Unlimited credit, and new origins, scopes, contacts and secrets of an
            app in use, always need approval.
          </p>
        </div>
      </div>
      <Filters current={filter} searchHint="Person, app, operator or reason">
        <SelectField
          name="state"
          label="State"
          value={filter.state ?? ''}
          options={[
            ['', 'Waiting'],
            ['decided', 'Decided'],
          ]}
        />
      </Filters>
      {filter.state === 'decided' ? (
        <Decided filter={filter} />
      ) : (
        <Waiting search={filter.search} />
      )}
    </div>
  )
}

function useGrants(filter: GrantFilter) {
  const { call } = usePage()
  return useList(JSON.stringify(filter), async (cursor) =>
    toListed(await call('GET /api/admin/grants', { ...filter, cursor }), ({ grants }) =>
      grants.map((grant) => ({ ...grant, key: grant.id })),
    ),
  )
}

function Decided({ filter }: { filter: GrantFilter }) {
  return (
    <List
      list={useGrants(filter)}
      label="Decided"
      columns={DECIDED_COLUMNS}
      isFiltered={filter.search !== undefined}
      empty={
        <Empty
          title="No decided requests"
          text="Every bonus, correction and raised credit limit appears here, with operator and reason."
        />
      }
      renderRow={(grant) => <DecidedRow key={grant.key} grant={grant} />}
    />
  )
}

function Waiting({ search }: { search: string | undefined }) {
  const { view, retry, readMore } = useGrants(onlyGiven<GrantFilter>({ state: 'waiting', search }))
  const [done, setDone] = useState('')
  const [isBusy, more] = useBusy(async () => void (await readMore()))
  const { rows, cursor, status } = view
  const isReading = status === 'reading' && !isBusy
  return (
    <div class={table.results} aria-busy={isReading}>
      {done && <Done key={done} text={done} takesFocus />}
      <p class={base.visuallyHidden} role="status">
        {rows && !isReading ? countRows(rows.length, cursor !== null) : ''}
      </p>
      {status === 'failed' && <ReadFailed retry={retry} />}
      {rows === null && status === 'reading' && <CardPlaceholders />}
      {rows && rows.length > 0 && (
        <ul class={styles.grants}>
          {rows.map((grant) => (
            <GrantCard
              key={grant.key}
              grant={grant}
              onDone={async (text) => {
                notifyGrantsChanged()
                await retry()
                setDone(text)
              }}
            />
          ))}
        </ul>
      )}
      {rows?.length === 0 &&
        !isReading &&
        (search ? (
          <NoResults hasMore={false} />
        ) : (
          <Empty
            title="No open requests"
            text="Requests above the 24-hour threshold will appear here until they are decided."
          />
        ))}
      {cursor !== null && (
        <Button kind="secondary" isBusy={isBusy} onClick={more}>
          Show more
        </Button>
      )}
    </div>
  )
}

function CardPlaceholders() {
  return (
    <div class={styles.grants} aria-hidden="true">
      {[18, 14].map((length) => (
        <div key={length} class={styles.grant}>
          <p>
            <TextPlaceholder length={length} />
          </p>
          <p>
            <TextPlaceholder length={40} />
          </p>
          <p>
            <TextPlaceholder length={30} />
          </p>
        </div>
      ))}
    </div>
  )
}
