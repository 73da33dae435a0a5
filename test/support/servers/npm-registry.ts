import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { Header } from 'tar'
import { onTestFinished } from 'vitest'

type Files = Readonly<Record<string, string>>

/** Package files by name and version; tests may add to it while the registry runs. */
export type Packages = Record<string, Record<string, Files>>

/** The part of an npm registry that `npm pack` and `npm view` use. The last version listed is the newest. */
export async function startRegistry(packages: Packages): Promise<string> {
  const server = createServer((request, response) => {
    const [name = '', file] = decodeURIComponent(request.url ?? '')
      .slice(1)
      .split('/-/')
    const versions = packages[name]
    if (!versions) return response.writeHead(404).end('{"error":"Not found"}')
    if (!file) return response.end(JSON.stringify(describe(url(), name, versions)))
    const files = versions[file.replace(/\.tgz$/, '')]
    return files ? response.end(pack(name, files)) : response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return url()
}

const describe = (url: string, name: string, versions: Record<string, Files>) => ({
  name,
  'dist-tags': { latest: Object.keys(versions).at(-1) },
  versions: Object.fromEntries(
    Object.keys(versions).map((version) => [
      version,
      { name, version, dist: { tarball: `${url}/${name}/-/${version}.tgz` } },
    ]),
  ),
})

/** Packs the files under `package/`, as npm does. */
export function pack(name: string, files: Files): Buffer {
  const blocks = Object.entries(files).flatMap(([file, text]) => {
    const body = Buffer.from(text)
    const path = `package/${file}`
    const header = Buffer.alloc(512)
    new Header({ path, type: 'File', mode: 0o644, size: body.length }).encode(header)
    return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]
  })
  if (blocks.length === 0) throw new Error(`${name} has no files`)
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]))
}
