import { useState } from 'preact/hooks'
import type { OperationFilter } from '../calls.ts'
import { AmountField } from '../kit/amount-field.tsx'
import { AppFilter } from '../kit/app-choice.tsx'
import { Filters, MinuteField, TextFilter } from '../kit/filters.tsx'
import { SelectField } from '../kit/form-parts.tsx'
import { usePage } from '../page-context.ts'
import { OPERATION_TYPES, OPERATION_KINDS } from '../kit/operation-kinds.ts'
import * as filters from '../kit/filters.module.css'

const TYPES = Object.entries(OPERATION_TYPES)
const KINDS = Object.entries(OPERATION_KINDS)

interface RecentFiltersProps {
  filter: OperationFilter
  /** The amount in the URL, valid or not. */
  min: string | undefined
}

export function RecentFilters({ filter, min }: RecentFiltersProps) {
  const { clientId, type, kind, referenceId, from, to } = filter
  const current = { client: clientId, direction: type, kind, min, reference: referenceId, from, to }
  return (
    <Filters current={current} label="Filter recent operations">
      <AppFilter name="client" clientId={clientId ?? ''} />
      <SelectField
        name="direction"
        label="Direction"
        value={type ?? ''}
        options={[['', 'Any direction'], ...TYPES]}
      />
      <SelectField
        name="kind"
        label="Kind"
        value={kind ?? ''}
        options={[['', 'Any kind'], ...KINDS]}
      />
      <span class={filters.lineBreak} />
      <TextFilter name="reference" label="Exact reference" value={referenceId} />
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
      label="Minimum"
      value={min}
      error={isValid ? undefined : 'Enter an amount like 1000 or 1000.50.'}
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
