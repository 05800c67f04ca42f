/** Reads the JSON that the server wrote into the page. */
export function readPageData(): unknown {
  return JSON.parse(document.getElementById('page-data')?.textContent ?? 'null')
}
