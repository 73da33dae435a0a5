import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { insertKey, newKey } from '#server/access/keys.ts'
import type { KeyScope } from '#server/access/scopes.ts'
import { insertSession } from '#server/access/sessions.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { changeAccess } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import { insertProject } from '#server/features/people/projects/store.ts'
import { insertUser } from '#server/features/people/users/store.ts'
import type { Services } from '#server/services.ts'
import { requireValidAnswer } from './answers.ts'
import { OWNER } from './owner.ts'
import { startServices } from './storage.ts'

export const CONFIGS = '/api/projects/1/pipeline_import_apps_configs'
export const DASHBOARDS = '/api/environments/1/dashboards'

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the test expects of it
  readonly body: any
  readonly text: string
  readonly headers: Headers
}

export interface Client {
  request(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  delete(path: string): Promise<Answer>
}

export interface NewCaller {
  readonly level?: 1 | 8 | 15
  /** Of which projects it is a member: project 1 if not said. */
  readonly memberOf?: readonly number[]
  readonly scopes?: readonly KeyScope[]
  readonly projects?: readonly number[]
  readonly expiresAt?: string
}

export interface TestApp extends Client {
  readonly app: FastifyInstance
  readonly db: Db
  readonly services: Services
  readonly url: string
  /** A client with another key, or with none. */
  withKey(key: string | undefined): Client
  /** A browser in which somebody is signed in: the owner, unless said. */
  withSession(userId?: number): Promise<Client & { token: string }>
  /** A client of another user: a member of project 1 whose key may do everything, unless said. */
  as(caller: NewCaller): Promise<Client & { uuid: string; userId: number; key: string }>
  createProject(name?: string): Promise<number>
}

/** The service as in production, listening, on a database of its own; called as its owner. */
export async function startApp(
  scopes?: readonly KeyScope[],
  env: Record<string, string> = {},
): Promise<TestApp> {
  const services = await startServices(env)
  const { db } = services.storage
  const config = { ...readConfig(env), logLevel: 'silent' } as const
  const app = buildApp({ services, config })
  onTestFinished(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const withKey = (key: string | undefined) =>
    createClient(app, url, key ? { authorization: `Bearer ${key}` } : {})
  const ownerKey = scopes ? await createKey(db, 1, { scopes }) : OWNER.apiKey

  return {
    ...withKey(ownerKey),
    app,
    db,
    services,
    url,
    withKey,
    async withSession(userId = 1) {
      const token = await insertSession(db, { userId, userAgent: 'Test', address: '127.0.0.1' })
      return { ...createClient(app, url, { ...cookieOf(token), origin: url }), token }
    },
    async as(caller) {
      const user = await createUser(db, caller)
      const key = await createKey(db, user.id, caller)
      return { ...withKey(key), uuid: user.uuid, userId: user.id, key }
    },
    async createProject(name = 'Other project') {
      const { id } = await db.selectFrom('organizations').select('id').executeTakeFirstOrThrow()
      return (await changeAccess(db, (tx) => insertProject(tx, id, name))).id
    },
  }
}

export const cookieOf = (token: string) => ({ cookie: `hedgerow_session=${token}` })

function createClient(
  app: FastifyInstance,
  url: string,
  credential: Record<string, string>,
): Client {
  const request: Client['request'] = async (method, path, body, headers) => {
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
    const answer = {
      status: response.status,
      body: isJson ? JSON.parse(text) : undefined,
      text,
      headers: response.headers,
    }
    requireValidAnswer(app, method, path, answer)
    return answer
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

function createUser(db: Db, { level = 1, memberOf = [1] }: NewCaller) {
  users++
  return changeAccess(db, async (tx) => {
    const user = await insertUser(tx, {
      email: `user${users}@example.com`,
      firstName: `User ${users}`,
      lastName: 'Test',
      level,
      currentProject: memberOf[0] ?? null,
      passwordHash: null,
    })
    for (const project_id of memberOf) {
      const member = { project_id, user_id: user.id, added_at: now() }
      await tx.insertInto('project_members').values(member).execute()
    }
    return user
  })
}

async function createKey(db: Db, userId: number, caller: NewCaller): Promise<string> {
  const value = newKey()
  await changeAccess(db, (tx) =>
    insertKey(tx, {
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
