import type { ComponentChildren } from 'preact'
import { CopyButton } from './copy.tsx'
import * as styles from './facts.module.css'

interface FactsProps {
  rows: readonly (readonly [string, ComponentChildren])[]
}

/** A list of names and values. Empty values are left out. */
export function Facts({ rows }: FactsProps) {
  return (
    <dl class={styles.facts}>
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
    <span class={styles.copyable}>
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  )
}
