import { stat } from 'node:fs/promises'
import { AppProblem } from '#server/runtime/contract.ts'
import type { AppFiles } from '../package/app-files.ts'
import { readArchive } from './archive.ts'
import { readFolder } from './folder.ts'
import { type NpmSpec, parseNpmSpec, readNpmPackage } from './npm.ts'

/** The place that an app is installed and upgraded from. */
export type Origin =
  | { readonly type: 'custom'; readonly spec: NpmSpec }
  | { readonly type: 'local'; readonly path: string }

const NPM_PAGE =
  /^https?:\/\/(?:www\.)?npmjs\.com\/package\/((?:@[^/?#]+\/)?[^/?#]+)(?:\/v\/([^/?#]+))?\/?(?:[?#].*)?$/

/** Parses the URL of an API caller, which can never name a file on this machine. */
export function parseOriginUrl(url: string): Origin {
  const [, name, version] = NPM_PAGE.exec(url.replace('/%40', '/@')) ?? []
  const text = name ? [name, version].filter(Boolean).join('@') : url.replace(/^npm:/, '')
  const spec = name || url.startsWith('npm:') ? parseNpmSpec(text) : undefined
  if (spec) return { type: 'custom', spec }
  throw new AppProblem(
    'The URL must be npm:<name>[@version] or https://www.npmjs.com/package/<name>[/v/<version>]. Use `hedgerow app install` for folders and .tgz files.',
  )
}

export const toOriginUrl = (origin: Origin): string =>
  origin.type === 'custom' ? `npm:${origin.spec.name}` : `file:${origin.path}`

/** Returns the origin of an installed app, or undefined if it was sent as source. */
export function toOrigin(url: string | null, version = 'latest'): Origin | undefined {
  if (url?.startsWith('file:')) return { type: 'local', path: url.slice('file:'.length) }
  if (!url?.startsWith('npm:')) return undefined
  const spec = parseNpmSpec(`${url.slice('npm:'.length)}@${version}`)
  if (!spec) throw new AppProblem('The version must be an exact version or a tag of the package.')
  return { type: 'custom', spec }
}

export async function readOrigin(origin: Origin): Promise<AppFiles> {
  if (origin.type === 'custom') return readNpmPackage(origin.spec)
  const found = await stat(origin.path).catch((error: NodeJS.ErrnoException) => {
    throw new AppProblem(`${origin.path} cannot be read (${error.code}).`)
  })
  return found.isDirectory() ? readFolder(origin.path) : readArchive(origin.path)
}
