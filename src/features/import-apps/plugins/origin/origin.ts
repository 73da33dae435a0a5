import { stat } from 'node:fs/promises'
import { AppProblem } from '#server/runtime/contract.ts'
import type { AppFiles } from '../package/app-files.ts'
import { readArchive } from './archive.ts'
import { readFolder } from './folder.ts'
import {
  findLatestCommit,
  type GitHubDeps,
  type GitHubSpec,
  isRef,
  parseGitHubUrl,
  readGitHubApp,
  toGitHubUrl,
} from './github.ts'
import { findLatestVersion, type NpmSpec, parseNpmSpec, readNpmPackage } from './npm.ts'

/** The place that an app is installed and upgraded from. */
export type Origin =
  | { readonly type: 'npm'; readonly spec: NpmSpec }
  | { readonly type: 'github'; readonly spec: GitHubSpec }
  | { readonly type: 'local'; readonly path: string }

const NPM_PAGE =
  /^https?:\/\/(?:www\.)?npmjs\.com\/package\/((?:@[^/?#]+\/)?[^/?#]+)(?:\/v\/([^/?#]+))?\/?(?:[?#].*)?$/

/** Parses the URL of an API caller, which can never name a file on this machine. */
export function parseOriginUrl(url: string, githubUrl: string): Origin {
  const repository = parseGitHubUrl(url, githubUrl)
  if (repository) return { type: 'github', spec: repository }
  const [, name, version] = NPM_PAGE.exec(url.replace('/%40', '/@')) ?? []
  const text = name ? [name, version].filter(Boolean).join('@') : url.replace(/^npm:/, '')
  const spec = name || url.startsWith('npm:') ? parseNpmSpec(text) : undefined
  if (spec) return { type: 'npm', spec }
  throw new AppProblem(
    'The URL must be npm:<name>[@version], https://www.npmjs.com/package/<name>[/v/<version>] or https://github.com/<owner>/<repository>[/tree/<ref>[/<folder>]]. Use `hedgerow app install` for folders and .tgz files.',
  )
}

export function toOriginUrl(origin: Origin, githubUrl: string): string {
  if (origin.type === 'github') return toGitHubUrl(origin.spec, githubUrl)
  return origin.type === 'npm' ? `npm:${origin.spec.name}` : `file:${origin.path}`
}

/** Returns the origin of an installed app, or undefined if it was sent as source. */
export function toOrigin(
  url: string | null,
  githubUrl: string,
  version?: string,
): Origin | undefined {
  if (url?.startsWith('file:')) return { type: 'local', path: url.slice('file:'.length) }
  const repository = url ? parseGitHubUrl(url, githubUrl) : undefined
  if (repository) {
    if (version !== undefined && !isRef(version)) throw new AppProblem(UNKNOWN_REF)
    return { type: 'github', spec: { ...repository, ref: version ?? repository.ref } }
  }
  if (!url?.startsWith('npm:')) return undefined
  const spec = parseNpmSpec(`${url.slice('npm:'.length)}@${version ?? 'latest'}`)
  if (!spec) throw new AppProblem('The version must be an exact version or a tag of the package.')
  return { type: 'npm', spec }
}

const UNKNOWN_REF = 'The version must be a branch, tag or commit of the repository.'

/** An app's files with its version, if its origin has versions. */
export interface OriginApp {
  readonly files: AppFiles
  /** The commit of a repository. */
  readonly commit?: string
}

export async function readOrigin(deps: GitHubDeps, origin: Origin): Promise<OriginApp> {
  if (origin.type === 'github') return readGitHubApp(deps, origin.spec)
  if (origin.type === 'npm') return { files: await readNpmPackage(origin.spec) }
  const found = await stat(origin.path).catch((error: NodeJS.ErrnoException) => {
    throw new AppProblem(`${origin.path} cannot be read (${error.code}).`)
  })
  const read = found.isDirectory() ? readFolder : readArchive
  return { files: await read(origin.path) }
}

/** Finds the newest version, or undefined if the origin has none. */
export async function findLatest(deps: GitHubDeps, origin: Origin): Promise<string | undefined> {
  if (origin.type === 'github') return findLatestCommit(deps, origin.spec)
  return origin.type === 'npm' ? findLatestVersion(origin.spec.name) : undefined
}
