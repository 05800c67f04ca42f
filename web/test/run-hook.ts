/** Runs a hook in a component that shows nothing, so that it can be tested without a browser. */
import { h, options, render } from 'preact'

/** The component creates no nodes, so its parent needs only what Preact reads. */
function createParent(): Element {
  return { nodeType: 1, childNodes: [], firstChild: null } as unknown as Element
}

/** Lets every promise, render and effect run that is ready. */
export async function runPending() {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((next) => setImmediate(next))
}

export function runHook<Props extends object, View>(use: (props: Props) => View, first: Props) {
  options.requestAnimationFrame = (run) => void setImmediate(run)
  let view: View | undefined
  function Host(props: Props) {
    view = use(props)
    return null
  }
  const parent = createParent()
  const rerender = async (props: Props) => {
    render(h(Host, props), parent)
    await runPending()
  }
  return { rerender, view: () => view as View, start: () => rerender(first) }
}
