import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const TEXT = /\.(js|css|svg|html|json)$/
/** Bytes. Smaller files fit into one packet uncompressed. */
const MIN_SIZE = 1024
/** Scripts that few pages load: gzip suffices, and Brotli would add a megabyte to the package. */
const RARE = /static\/[^/]+\/(?!array\.js$)/

/** Compresses files at build time, so the server only sends them. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const files = await readdir(dir, { recursive: true })
      await Promise.all(
        files.filter((file) => TEXT.test(file)).map((file) => compress(join(dir, file))),
      )
    },
  }
}

async function compress(file: string): Promise<void> {
  const bytes = await readFile(file)
  if (bytes.length < MIN_SIZE) return
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
  if (RARE.test(file)) return
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, quality))
}
