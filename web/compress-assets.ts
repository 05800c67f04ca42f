/** Writes .br and .gz files next to every built file, so that the server does not compress at run time. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

export function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    async writeBundle(options, bundle) {
      for (const file of Object.values(bundle)) {
        if (!file.fileName.startsWith('assets/')) continue
        const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source)
        const path = join(options.dir ?? '', file.fileName)
        const quality = {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        }
        await writeFile(`${path}.br`, await toBrotli(bytes, { params: quality }))
        await writeFile(`${path}.gz`, await toGzip(bytes, { level: 9 }))
      }
    },
  }
}
