import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

/** The values that every component of a page can use. They are known before the first component renders. */
export function createPageContext<Page>() {
  const PageContext = createContext<Page | null>(null)
  function usePage(): Page {
    const page = useContext(PageContext)
    if (!page) throw new Error('usePage() needs a PageContext.Provider')
    return page
  }
  return { PageContext, usePage }
}

/** Reads the JSON that the server wrote into the page. */
export function readPageData(): unknown {
  return JSON.parse(document.getElementById('page-data')?.textContent ?? 'null')
}
