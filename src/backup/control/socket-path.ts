import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** In the data folder, which only the server's user can enter. */
export const SOCKET = 'server.sock'

/** The system's limit is 104 to 108 bytes. */
const MAX_PATH = 100

/** Runs work with the path of the socket: the path of a link to the folder if the folder's own is too long. */
export async function withSocketPath<T>(
  folder: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(resolve(folder), SOCKET)
  if (Buffer.byteLength(path) <= MAX_PATH) return work(path)
  const links = mkdtempSync(join(tmpdir(), 'hedgerow-'))
  try {
    symlinkSync(resolve(folder), join(links, 'data'))
    return await work(join(links, 'data', SOCKET))
  } finally {
    rmSync(links, { recursive: true, force: true })
  }
}
