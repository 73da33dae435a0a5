import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, extname, join, resolve } from 'node:path'
import { readConfig } from '../config.ts'
import { createEgress, type Egress } from '../egress/egress.ts'
import { EgressError } from '../egress/egress-error.ts'
import { readUpTo } from '../egress/read-body.ts'
import { sendRequest } from '../egress/send-request.ts'
import { OperatorError } from '../errors.ts'
import {
  type Translation,
  translateManifest,
} from '../features/import-apps/plugins/airbyte/translate.ts'
import { type InstallDeps, installSource } from '../features/import-apps/plugins/install.ts'
import type { Editor } from '../features/import-apps/plugins/plugins.ts'
import type { InstalledPlugin } from '../features/import-apps/plugins/schema.ts'
import { AppProblem } from '../runtime/contract.ts'
import { type OutputFormat, print } from './print.ts'

export const MANIFEST_PREFIX = 'airbyte:'

const TIMEOUT_MS = 30_000
const MAX_BYTES = 5 * 1024 * 1024

export interface ManifestOptions {
  readonly streams?: string | undefined
  readonly write?: string | undefined
}

/** Installs a declarative manifest of Airbyte as an app with a connector. */
export async function installManifest(
  deps: InstallDeps,
  actor: Editor,
  text: string,
  options: ManifestOptions,
): Promise<InstalledPlugin> {
  const { files, streams } = await translate(deps.egress, text, options)
  deps.onStep?.(`Translated the streams ${streams.join(', ')}.`)
  return installSource(deps, actor, { files, name: undefined })
}

/** Writes the translated app, for example to choose its persons and events before it is installed. */
export async function writeManifest(
  text: string,
  { write = '', streams }: ManifestOptions,
  format: OutputFormat,
): Promise<void> {
  const egress = createEgress({ allowedHosts: readConfig().appHosts })
  try {
    const translation = await translate(egress, text, { streams })
    const folder = resolve(write)
    await writeFiles(folder, translation.files)
    const lines = [
      `Wrote ${translation.streams.join(', ')} to ${folder}.`,
      `To run it:      hedgerow app dev ${write}`,
      `To install it:  hedgerow app install ${write}`,
    ]
    print(format, { folder, ...translation }, lines.join('\n'))
  } catch (error) {
    throw error instanceof AppProblem ? new OperatorError(error.message) : error
  } finally {
    await egress.close()
  }
}

async function writeFiles(folder: string, files: Translation['files']): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    if ((await readdir(folder)).length > 0) {
      throw new OperatorError(`${folder} is not empty. Choose an empty or new folder.`)
    }
    for (const [name, content] of Object.entries(files))
      await writeFile(join(folder, name), content)
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`Cannot write to ${folder} (${(error as NodeJS.ErrnoException).code}).`)
  }
}

async function translate(
  egress: Egress,
  text: string,
  { streams }: ManifestOptions,
): Promise<Translation> {
  const source = text.slice(MANIFEST_PREFIX.length)
  const isUrl = /^https?:\/\//.test(source)
  const manifest = await (isUrl ? download(egress, source) : readManifest(source))
  const wanted = streams?.split(',').map((name) => name.trim())
  return translateManifest(manifest, {
    name: toName(isUrl ? new URL(source).pathname : source),
    wanted,
  })
}

/** Names the app by its file, or by the folder of a file that all manifests are called. */
function toName(path: string): string {
  const resolved = resolve(path)
  const file = basename(resolved, extname(resolved))
  const name = file === 'manifest' ? basename(resolve(resolved, '..')) : file
  const words = name
    .replace(/^source[-_]/, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return words === '' ? 'Manifest' : words.charAt(0).toUpperCase() + words.slice(1, 200)
}

async function readManifest(path: string): Promise<string> {
  try {
    return await readFile(resolve(path), 'utf8')
  } catch (error) {
    throw new AppProblem(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

async function download(egress: Egress, address: string): Promise<string> {
  const url = URL.parse(address)
  if (!url) throw new AppProblem(`${address} is no address.`)
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const { url: from, response } = await sendRequest(egress, {
      url,
      method: 'GET',
      headers: new Map([['accept-encoding', 'identity']]),
      payload: undefined,
      redirect: 'follow',
      maxRedirects: 10,
      signal,
    })
    const bytes = await readUpTo(from, response.body, MAX_BYTES)
    if (response.statusCode === 200) return bytes.toString()
    throw new AppProblem(`${url.host} responded with status ${response.statusCode}.`)
  } catch (error) {
    if (signal.aborted) throw new AppProblem(`${url.host} did not send the manifest in time.`)
    if (!(error instanceof EgressError)) throw error
    throw new AppProblem(`The manifest cannot be downloaded from ${url.host}: ${error.message}.`)
  }
}
