import type { ComponentChildren } from 'preact'
import { CopyButton } from './copy.tsx'

interface FactsProps {
  class?: string
  rows: readonly (readonly [string, ComponentChildren])[]
}

/** A list of names and values. Empty values are left out. */
export function Facts({ class: name = 'particulars facts', rows }: FactsProps) {
  return (
    <dl class={name}>
      {rows.map(
        ([label, value]) =>
          value && (
            <div key={label}>
              <dt>{label}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

export function Copyable({ text, what }: { text: string; what: string }) {
  return (
    <span class="copy-cell">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  )
}
