/** Source texts by path relative to the app's folder. */
export type ChosenFiles = Readonly<Record<string, string>>

const SOURCE = /\.([mc]?[jt]s|[jt]sx|json)$/
const EXCLUDED = /(^|\/)(__tests__|node_modules)\/|\.(test|spec)\.[^/]+$|(^|\/)\./
const MAX_UNPACKED = 64 * 1024 * 1024

/** Tells whether the server would include the file. */
const isIncluded = (name: string): boolean =>
  name === 'README.md' || (SOURCE.test(name) && !EXCLUDED.test(name))

const withoutRoot = (path: string): string => path.slice(path.indexOf('/') + 1)

export async function readChosenFolder(chosen: readonly File[]): Promise<ChosenFiles> {
  const files = chosen
    .map((file) => ({ file, name: withoutRoot(file.webkitRelativePath || `/${file.name}`) }))
    .filter(({ name }) => isIncluded(name))
  return Object.fromEntries(
    await Promise.all(files.map(async ({ file, name }) => [name, await file.text()] as const)),
  )
}

/** Reads a gzipped tar made by `npm pack`, with everything in one folder. */
export async function readChosenArchive(archive: Blob): Promise<ChosenFiles> {
  const bytes = await unzip(archive).catch(() => {
    throw new Error('This file is not a .tgz archive.')
  })
  const entries = [...readEntries(bytes)].map(([path, text]) => [withoutRoot(path), text] as const)
  return Object.fromEntries(entries.filter(([name]) => isIncluded(name)))
}

async function unzip(archive: Blob): Promise<Uint8Array> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  const reader = archive.stream().pipeThrough(new DecompressionStream('gzip')).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > MAX_UNPACKED) throw new Error('too large')
    parts.push(value)
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

const BLOCK = 512
const FILE_TYPES = ['0', '\0']
const ATTRIBUTES_TYPE = 'x'

/** Yields path and text of each regular file. */
function* readEntries(bytes: Uint8Array): Generator<readonly [string, string]> {
  const textAt = (start: number, length: number) =>
    new TextDecoder().decode(bytes.subarray(start, start + length))
  const fieldAt = (start: number, length: number) => textAt(start, length).split('\0')[0] ?? ''
  let longPath: string | undefined
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    const size = Number.parseInt(fieldAt(at + 124, 12).trim() || '0', 8)
    if (!Number.isSafeInteger(size)) throw new Error('This file is not a .tgz archive.')
    const type = textAt(at + 156, 1)
    const content = textAt(at + BLOCK, size)
    if (type === ATTRIBUTES_TYPE) longPath = /^\d+ path=(.*)$/m.exec(content)?.[1]
    else {
      const folder = fieldAt(at + 345, 155)
      const name = fieldAt(at, 100)
      const path = longPath ?? (folder ? `${folder}/${name}` : name)
      longPath = undefined
      if (FILE_TYPES.includes(type)) yield [path, content]
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
}
