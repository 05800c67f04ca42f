/** What stands where something is about to be. */
import './placeholder.css'

export function Spinner() {
  return <span class="spinner" aria-hidden="true" />
}

/** As wide as so many characters, in a line as high as any, so nothing moves when the text comes. */
export function TextPlaceholder({ length }: { length: number }) {
  return <span class="placeholder placeholder-text" style={{ width: `${length}ch` }} />
}
