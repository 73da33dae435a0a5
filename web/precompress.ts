import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const TEXT = /\.(js|css|svg|html|json)$/
/** Bytes. Smaller files fit into one packet uncompressed. */
const MIN_SIZE = 1024
/** Scripts that few pages load: the last tenth would take 10 s of CPU time. */
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
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: RARE.test(file) ? 9 : 11 } }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, quality))
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}
