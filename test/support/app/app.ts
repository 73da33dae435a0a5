import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { generateApiKey, insertApiKey } from '#server/access/keys.ts'
import type { KeyScope } from '#server/access/scopes.ts'
import { insertSession } from '#server/access/sessions.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { changeAccess } from '#server/db/change.ts'
import type { StorageOptions } from '#server/db/open.ts'
import type { Db } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import { insertProject } from '#server/features/accounts/projects/store.ts'
import { insertUser } from '#server/features/accounts/users/store.ts'
import type { Services } from '#server/services.ts'
import { cheapHash } from './cheap-hash.ts'
import { OWNER } from './owner.ts'
import { raiseIds } from './raise-ids.ts'
import { requireValidResponse } from './responses.ts'
import { openTestServices, sharedStorageOptions, startServices } from './storage.ts'

// Relative to the test's project, because there is no leading slash.
export const CONFIGS = 'pipeline_import_apps_configs'
export const DASHBOARDS = 'dashboards'
/** The project itself. */
export const PROJECT = ''

/** Returns the path of a record: below the project, unless it starts with a slash. */
export function toPath(projectId: number, path: string): string {
  if (path.startsWith('/')) return path
  // the interface has these two below environments, and everything else below projects
  const parent = /^(dashboards|insights)\b/.test(path) ? 'environments' : 'projects'
  return path === PROJECT ? `/api/projects/${projectId}` : `/api/${parent}/${projectId}/${path}`
}

export interface TestResponse {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the test knows the type of the response
  readonly body: any
  readonly text: string
  readonly headers: Headers
}

/** Sends requests; a path without a leading slash is below the test's project. */
export interface Client {
  request(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<TestResponse>
  get(path: string, headers?: Record<string, string>): Promise<TestResponse>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse>
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse>
  delete(path: string): Promise<TestResponse>
}

export interface NewCaller {
  readonly level?: 1 | 8 | 15
  /** IDs of the caller's projects; the test's project by default. */
  readonly memberOf?: readonly number[]
  /** The level in these projects. Default: member. */
  readonly access?: 'member' | 'viewer'
  readonly scopes?: readonly KeyScope[]
  readonly projects?: readonly number[]
  readonly expiresAt?: string
  /** Without one, the user cannot sign in. */
  readonly password?: string
}

/** A client of a new user with a key. */
export interface NewClient extends Client {
  readonly uuid: string
  readonly userId: number
  readonly email: string
  readonly key: string
}

export interface TestApp extends Client {
  readonly app: FastifyInstance
  readonly db: Db
  readonly services: Services
  readonly url: string
  /** The project that relative paths lead to. */
  readonly projectId: number
  /** Returns the absolute path of a relative one, in this or another project. */
  path(path: string, projectId?: number): string
  /** Returns the full URL of a path. */
  address(path: string): string
  /** A client with another key, or with none. */
  withKey(key: string | undefined): Client
  /** A browser session of a user, by default the owner. */
  withSession(userId?: number): Promise<Client & { token: string }>
  /** A client of a new user: by default a member of the test's project with a key for everything. */
  as(caller: NewCaller): Promise<NewClient>
  createProject(name?: string): Promise<number>
}

/**
 * Starts a listening server as in production. The client is the owner. The storage is new, unless the test passes
 * options.
 */
export async function startApp(
  scopes?: readonly KeyScope[],
  env: Record<string, string> = {},
  options?: StorageOptions,
): Promise<TestApp> {
  const services = await startServices(env, options)
  const server = await listen(services, env)
  onTestFinished(() => server.app.close())
  return openProject(server, 1, scopes)
}

/** One app per database: a Vitest worker runs the files of one project and keeps its modules. */
const shared = new Map<string | undefined, Promise<RunningServer>>()

/**
 * Returns a fresh project in an app that all tests of this worker share, because starting an app takes ten times as
 * long. The client is the project's owner. The organization, its owner, plugins, caches, throttles and workers are shared
 * too: tests about those call `startApp()`. Tests of accounts create users with `as()`. No record has a small ID, so a test that expects ID 1
 * fails.
 */
export async function useApp(scopes?: readonly KeyScope[]): Promise<TestApp> {
  const database = process.env.TEST_DATABASE
  let starting = shared.get(database)
  if (!starting) {
    // the app ends with the worker process; its files are deleted with those of the run
    starting = startShared()
    shared.set(database, starting)
  }
  const server = await starting
  return openProject(server, await createProject(server.services.storage.db, 'Test', true), scopes)
}

async function startShared(): Promise<RunningServer> {
  const config = { ...readConfig({}), ...(await sharedStorageOptions()) }
  const services = await openTestServices(config)
  await raiseIds(services.storage.db)
  return listen(services, {})
}

/**
 * Starts another server on the storage of the shared app, for the test's project. It has separate caches and throttles
 * and ends with the test.
 */
export async function startBeside(
  { services, projectId }: TestApp,
  env: Record<string, string> = {},
): Promise<TestApp> {
  const server = await listen(services, env)
  onTestFinished(() => server.app.close())
  return openProject(server, projectId, undefined)
}

interface RunningServer {
  readonly services: Services
  readonly app: FastifyInstance
  readonly url: string
}

const DISPLAY_NAME = Symbol.for('fastify.display-name')

/** Names the plugins of every app: Fastify would compare each with all loaded modules, a tenth of an app's start. */
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as {
    fastify: { register: (plugin: object, options?: object) => unknown }
  }
  const { register } = fastify
  fastify.register = (plugin, options) =>
    register.call(fastify, Object.assign(plugin, { [DISPLAY_NAME]: 'routes' }), options)
})

async function listen(services: Services, env: Record<string, string>): Promise<RunningServer> {
  const config = { ...readConfig(env), logLevel: 'silent' } as const
  const app = buildApp({ services, config })
  return { services, app, url: await app.listen({ host: '127.0.0.1', port: 0 }) }
}

async function openProject(
  { services, app, url }: RunningServer,
  projectId: number,
  scopes: readonly KeyScope[] | undefined,
): Promise<TestApp> {
  const { db } = services.storage
  const clientWith = (headers: Record<string, string>) => createClient(app, url, projectId, headers)
  const withKey = (key: string | undefined) =>
    clientWith(key ? { authorization: `Bearer ${key}` } : {})
  const ownerKey = scopes ? await createKey(db, 1, { scopes }) : OWNER.apiKey

  return {
    ...withKey(ownerKey),
    app,
    db,
    services,
    url,
    projectId,
    path: (path, project = projectId) => toPath(project, path),
    address: (path) => url + toPath(projectId, path),
    withKey,
    async withSession(userId = 1) {
      const token = await insertSession(db, { userId, userAgent: 'Test', address: '127.0.0.1' })
      return { ...clientWith({ ...cookieOf(token), origin: url }), token }
    },
    async as(caller) {
      const user = await createUser(db, { memberOf: [projectId], ...caller })
      const key = await createKey(db, user.id, caller)
      return { ...withKey(key), uuid: user.uuid, userId: user.id, email: user.email, key }
    },
    createProject: (name = 'Other project') => createProject(db, name),
  }
}

function createProject(db: Db, name: string, isCurrent = false): Promise<number> {
  return changeAccess(db, async (tx) => {
    const organization = tx.selectFrom('organizations').select('id')
    const { id } = await insertProject(tx, (await organization.executeTakeFirstOrThrow()).id, name)
    if (isCurrent) {
      await tx.updateTable('users').set({ current_project_id: id }).where('id', '=', 1).execute()
    }
    return id
  })
}

export const cookieOf = (token: string) => ({ cookie: `hedgerow_session=${token}` })

function createClient(
  app: FastifyInstance,
  url: string,
  projectId: number,
  credential: Record<string, string>,
): Client {
  const request: Client['request'] = async (method, relativePath, body, headers) => {
    const path = toPath(projectId, relativePath)
    const response = await fetch(url + path, {
      method,
      headers: {
        ...credential,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    })
    const isEndless = response.headers.get('content-type')?.startsWith('text/event-stream')
    const text = isEndless ? '' : await response.text()
    if (isEndless) await response.body?.cancel()
    const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
    const parsed = {
      status: response.status,
      body: isJson ? JSON.parse(text) : undefined,
      text,
      headers: response.headers,
    }
    requireValidResponse(app, method, path, parsed)
    return parsed
  }
  return {
    request,
    get: (path, headers) => request('GET', path, undefined, headers),
    post: (path, body, headers) => request('POST', path, body, headers),
    patch: (path, body, headers) => request('PATCH', path, body, headers),
    delete: (path) => request('DELETE', path),
  }
}

let users = 0

async function createUser(db: Db, { level = 1, memberOf = [], access, password }: NewCaller) {
  users++
  const passwordHash = password === undefined ? null : await cheapHash(password)
  return changeAccess(db, async (tx) => {
    const user = await insertUser(tx, {
      email: `user${users}@example.com`,
      firstName: `User ${users}`,
      lastName: 'Test',
      level,
      currentProject: memberOf[0] ?? null,
      passwordHash,
    })
    for (const project_id of memberOf) {
      const member = { project_id, user_id: user.id, added_at: now(), access_level: access }
      await tx.insertInto('project_members').values(member).execute()
    }
    return user
  })
}

async function createKey(db: Db, userId: number, caller: NewCaller): Promise<string> {
  const value = generateApiKey()
  await changeAccess(db, (tx) =>
    insertApiKey(tx, {
      userId,
      label: 'Test',
      scopes: caller.scopes ?? ['*'],
      projects: caller.projects,
      expiresAt: caller.expiresAt,
      value,
    }),
  )
  return value
}
