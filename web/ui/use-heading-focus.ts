/** When a screen replaces another, its heading gets the focus. The first screen does not take the focus. */
import { useLayoutEffect, useRef } from 'preact/hooks'

export function useHeadingFocus(screen: string) {
  const shown = useRef(screen)
  // Before the screen is painted, so that it does not take the focus from somebody who has moved it since.
  useLayoutEffect(() => {
    // Without the focus in this document, taking it would steal it from the embedding page.
    const isOther = shown.current !== screen && document.hasFocus()
    shown.current = screen
    if (isOther) document.querySelector<HTMLElement>('h1')?.focus()
  }, [screen])
}
