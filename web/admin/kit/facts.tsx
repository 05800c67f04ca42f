import type { ComponentChildren } from 'preact'
import { CopyButton } from './copy.tsx'

/** Names and what they are; what is nothing is left out. */
export function Facts({ rows }: { rows: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="particulars facts">
      {rows.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
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
