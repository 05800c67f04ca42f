import { useState } from 'preact/hooks'
import type { OperationFilter } from '../calls.ts'
import { AmountField } from '../kit/amount-field.tsx'
import { AppFilter } from '../kit/app-filter.tsx'
import { Filters, MinuteField, TextFilter } from '../kit/filters.tsx'
import { SelectField } from '../kit/form-parts.tsx'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import * as filters from '../kit/filters.module.css'

const texts = words.history
const TYPES = Object.entries(texts.types)
const KINDS = Object.entries(texts.kinds)

interface RecentFiltersProps {
  filter: OperationFilter
  /** The amount in the URL, valid or not. */
  min: string | undefined
}

export function RecentFilters({ filter, min }: RecentFiltersProps) {
  const { clientId, type, kind, referenceId, from, to } = filter
  const current = { client: clientId, direction: type, kind, min, reference: referenceId, from, to }
  return (
    <Filters current={current} label={words.recent.filters}>
      <AppFilter name="client" clientId={clientId ?? ''} />
      <SelectField
        name="direction"
        label={texts.type}
        value={type ?? ''}
        options={[['', texts.anyType], ...TYPES]}
      />
      <SelectField
        name="kind"
        label={texts.kind}
        value={kind ?? ''}
        options={[['', texts.anyKind], ...KINDS]}
      />
      <span class={filters.lineBreak} />
      <TextFilter name="reference" label={words.recent.reference} value={referenceId} />
      <MinimumField given={min ?? ''} />
      <MinuteField name="from" value={from} />
      <MinuteField name="to" value={to} />
    </Filters>
  )
}

function MinimumField({ given }: { given: string }) {
  const { data } = usePage()
  const [min, setMin] = useState(given)
  const isValid = min.trim() === '' || toMinimum(min, data.currency) !== undefined
  return (
    <AmountField
      name="min"
      label={words.recent.min}
      value={min}
      error={isValid ? undefined : words.recent.minFault}
      onChange={setMin}
    />
  )
}

/** undefined if the text is not an amount of this currency. */
export function toMinimum(text: string | undefined, currency: string): string | undefined {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 0
  const [, whole, decimals = ''] = /^(\d{1,9})(?:\.(\d{1,3}))?$/.exec(text?.trim() ?? '') ?? []
  return whole !== undefined && decimals.length <= digits ? text?.trim() : undefined
}
