/** The values that every component of a page can use. They are known before the first component renders. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

export function createPageContext<Page>() {
  const PageContext = createContext<Page | null>(null)
  function usePage(): Page {
    const page = useContext(PageContext)
    if (!page) throw new Error('usePage() needs a PageContext.Provider')
    return page
  }
  return { PageContext, usePage }
}
