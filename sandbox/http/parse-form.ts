export type Param = string | Param[] | Params
export type Params = { [name: string]: Param }

/** Reads Stripe's form encoding: `a[b][c]=1`, `list[]=x` and `list[0]=x` become nested values. */
export function parseForm(text: string): Params {
  const root: Params = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = name.split('[').map((key) => key.replace(/\]$/, ''))
    put(root, keys, value)
  }
  return toLists(root) as Params
}

function put(target: Params, [key = '', ...rest]: string[], value: string) {
  const name = key === '' ? String(Object.keys(target).length) : key
  if (rest.length === 0) {
    target[name] = value
    return
  }
  const inner = target[name]
  const next: Params = isParams(inner) ? inner : Object.create(null)
  target[name] = next
  put(next, rest, value)
}

function toLists(param: Param): Param {
  if (!isParams(param)) return param
  const entries = Object.entries(param).map(([name, value]) => [name, toLists(value)] as const)
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index))
  if (isList) return entries.map(([, value]) => value)
  const result: Params = Object.create(null)
  for (const [name, value] of entries) result[name] = value
  return result
}

export function isParams(param: Param | undefined): param is Params {
  return typeof param === 'object' && !Array.isArray(param)
}
