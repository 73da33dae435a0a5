import type { Egress } from '#server/egress/egress.ts'
import { EgressError } from '#server/egress/egress-error.ts'
import { readBody, readUpTo } from '#server/egress/read-body.ts'
import { type IncomingResponse, sendRequest } from '#server/egress/send-request.ts'
import { AppProblem } from '#server/runtime/contract.ts'
import { type AppFiles, appTooLarge, MAX_APP_BYTES } from '../package/app-files.ts'
import { unpackArchive } from './archive.ts'

export const GITHUB_URL = 'https://github.com'

export interface GitHubSpec {
  readonly owner: string
  readonly repository: string
  /** A branch, tag or commit. */
  readonly ref: string
  /** The folder of the app within the repository; empty for the repository itself. */
  readonly folder: string
}

/** The server that apps are downloaded from, and the guard on its address. */
export interface GitHubDeps {
  readonly egress: Egress
  /** GitHub, or another server that the operator has chosen, which may be private. */
  readonly githubUrl: string
}

/** The ref of the default branch. */
const HEAD = 'HEAD'
const NAME = /^[\w.-]{1,100}$/
/** No `..` and no leading dash or slash, as git has it. */
const REF = /^(?!.*\.\.)[\w][\w./+@-]{0,200}$/
const TIMEOUT_MS = 60_000
/** GitHub redirects to its download server, and once more if the repository has moved. */
const MAX_REDIRECTS = 4

/**
 * Parses the address of a repository, of a branch, tag, commit or release, or of a folder in one. Returns undefined for
 * any other address.
 */
export function parseGitHubUrl(text: string, githubUrl: string): GitHubSpec | undefined {
  const url = URL.parse(text)
  if (!url || url.origin.replace('//www.', '//') !== new URL(githubUrl).origin) return undefined
  const [owner = '', name = '', kind, ...rest] = toParts(url.pathname)
  const target = toTarget(kind, rest)
  const repository = name.replace(/\.git$/, '')
  if (!target || !NAME.test(owner) || !isName(repository) || !isRef(target.ref)) return undefined
  return { owner, repository, ...target }
}

const toParts = (path: string): string[] => path.split('/').filter(Boolean).map(decode)

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return '..' // refused as a name
  }
}

function toTarget(
  kind: string | undefined,
  rest: readonly string[],
): Pick<GitHubSpec, 'ref' | 'folder'> | undefined {
  const [first = '', ...others] = rest
  if (kind === undefined) return { ref: HEAD, folder: '' }
  if (kind === 'commit' && others.length === 0) return { ref: first, folder: '' }
  if (kind === 'tree' && others.every((part) => part !== '.' && part !== '..')) {
    return { ref: first, folder: others.join('/') }
  }
  if (kind === 'releases' && first === 'tag') return { ref: others.join('/'), folder: '' }
  if (kind === 'archive') {
    const ref = rest.join('/').replace(/^refs\/(heads|tags)\//, '')
    return { ref: ref.replace(/\.(zip|tar\.gz)$/, ''), folder: '' }
  }
  return undefined
}

const isName = (text: string): boolean => NAME.test(text) && text !== '.' && text !== '..'

export const isRef = (text: string): boolean => REF.test(text)

/** Returns the address without its version, as the address of an npm package has none either. */
export const toGitHubUrl = ({ owner, repository, folder }: GitHubSpec, githubUrl: string): string =>
  `${githubUrl}/${owner}/${repository}${folder ? `/tree/${HEAD}/${folder}` : ''}`

/** An app's files with the commit that they belong to. */
export interface GitHubApp {
  readonly files: AppFiles
  readonly commit: string
}

/** Downloads the archive of a commit, which git marks with the ID of the commit. */
export async function readGitHubApp(deps: GitHubDeps, spec: GitHubSpec): Promise<GitHubApp> {
  const { owner, repository, ref, folder } = spec
  const path = `${owner}/${repository}/archive/${ref}.tar.gz`
  const packed = await request(deps, path, async ({ url, response }) => {
    if (response.statusCode === 404) {
      throw new AppProblem(`GitHub has no ${owner}/${repository} at ${ref}, or it is private.`)
    }
    requireSuccess(response.statusCode, path)
    return readUpTo(url, response.body, MAX_APP_BYTES, appTooLarge)
  })
  const { files, commit } = await unpackArchive(Buffer.from(packed), folder)
  if (COMMIT.test(ref) && commit !== ref) {
    throw new AppProblem(`GitHub sent another commit than ${ref}: ${commit || 'an unknown one'}.`)
  }
  return { files, commit: commit || ref }
}

const COMMIT = /^[0-9a-f]{40}$/

/** Finds the commit of the default branch, with which the first response of git's protocol begins. */
export async function findLatestCommit(
  deps: GitHubDeps,
  { owner, repository }: GitHubSpec,
): Promise<string> {
  const path = `${owner}/${repository}.git/info/refs?service=git-upload-pack`
  const text = await request(deps, path, async ({ url, response }) => {
    requireSuccess(response.statusCode, path)
    let head = ''
    for await (const chunk of readBody(url, response.body)) {
      head += Buffer.from(chunk).toString('latin1')
      if (head.length > 4096) break
    }
    return head
  })
  const commit = /([0-9a-f]{40}) HEAD\0/.exec(text)?.[1]
  if (!commit)
    throw new AppProblem(`GitHub did not tell the latest commit of ${owner}/${repository}.`)
  return commit
}

async function request<T>(
  { egress, githubUrl }: GitHubDeps,
  path: string,
  read: (incoming: IncomingResponse) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const base = new URL(githubUrl)
  try {
    const incoming = await sendRequest(egress, {
      url: new URL(path, `${base.origin}/`),
      method: 'GET',
      headers: new Map([['accept-encoding', 'identity']]),
      payload: undefined,
      redirect: 'follow',
      maxRedirects: MAX_REDIRECTS,
      signal,
      ...(base.origin !== GITHUB_URL && { trustedUrl: base }),
    })
    return await read(incoming)
  } catch (error) {
    if (signal.aborted) {
      throw new AppProblem(`${base.host} did not send the app within ${TIMEOUT_MS / 1000} seconds.`)
    }
    if (error instanceof EgressError) {
      const remedy = error.isTemporary ? ' Try again.' : ''
      throw new AppProblem(
        `The app could not be downloaded from ${base.host}: ${error.message}.${remedy}`,
      )
    }
    throw error
  }
}

function requireSuccess(status: number, path: string): void {
  if (status === 200) return
  throw new AppProblem(`GitHub responded with status ${status} for ${path}.`)
}
