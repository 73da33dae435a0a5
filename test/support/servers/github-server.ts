import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { Header, type HeaderData, Pax } from 'tar'
import { onTestFinished } from 'vitest'

export type ArchiveEntry = readonly [path: string, text: string, header?: HeaderData]

/** An archive as GitHub makes it, with the ID of the commit in its global header. */
export function toArchive(entries: readonly ArchiveEntry[], commit: string): Buffer {
  const pax = new Pax({ comment: commit }, true).encode()
  const blocks = entries.flatMap(([path, text, more]) => {
    const body = Buffer.from(text)
    const header = Buffer.alloc(512)
    new Header({ path, type: 'File', mode: 0o644, size: body.length, ...more }).encode(header)
    return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]
  })
  return gzipSync(Buffer.concat([pax, ...blocks, Buffer.alloc(1024)]))
}

/** Archives by `owner/repository/ref`, and the latest commits by `owner/repository`. */
export interface Repositories {
  readonly archives: Record<string, Buffer>
  readonly latest?: Record<string, string>
  /** The target of the redirect of archives, instead of the server's own download path. */
  readonly redirectTo?: string
}

/** Starts the part of GitHub that downloads use: an archive's address redirects to the download. */
export async function startGitHub({ archives, latest = {}, redirectTo }: Repositories) {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push(path)
    const [, archive] = /^\/(.+)\.tar\.gz$/.exec(path.replace('/archive/', '/')) ?? []
    const [, download] = /^\/download\/(.+)$/.exec(path) ?? []
    const [, repository] = /^\/(.+)\.git\/info\/refs\?service=git-upload-pack$/.exec(path) ?? []
    if (repository && latest[repository]) {
      const refs = `001e# service=git-upload-pack\n0000010a${latest[repository]} HEAD\0multi_ack`
      return response.end(refs)
    }
    if (archive && archives[archive]) {
      const location = redirectTo ?? `/download/${archive}`
      return response.writeHead(302, { location }).end()
    }
    const bytes = download ? archives[download] : undefined
    return bytes ? response.end(bytes) : response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}
