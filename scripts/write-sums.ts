import { createHash, sign } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** SHA256SUMS of the archives in a folder, and with an Ed25519 key SHA256SUMS.sig. docs/install.md says how to check both. */
export function writeSums(folder: string, keyFile?: string) {
  const lines = globSync('*.tar.gz', { cwd: folder })
    .toSorted()
    .map((file) => {
      const sum = createHash('sha256').update(readFileSync(join(folder, file)))
      return `${sum.digest('hex')}  ${file}\n`
    })
  const sums = Buffer.from(lines.join(''))
  writeFileSync(join(folder, 'SHA256SUMS'), sums)
  if (keyFile === undefined) return
  writeFileSync(join(folder, 'SHA256SUMS.sig'), sign(null, sums, readFileSync(keyFile)))
}
