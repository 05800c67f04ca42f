/** Placeholders for content that is loading. */
import './placeholder.css'

export function Spinner() {
  return <span class="spinner" aria-hidden="true" />
}

/** As wide as `length` characters and as high as a line, so that nothing moves when the text appears. */
export function TextPlaceholder({ length }: { length: number }) {
  return <span class="placeholder placeholder-text" style={{ width: `${length}ch` }} />
}
