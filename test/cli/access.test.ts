import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app/app.ts'
import { type Environment, runHedgerow, toEnv } from '../support/app/cli.ts'
import { OWNER } from '../support/app/owner.ts'
import { storageOptions } from '../support/app/storage.ts'
import { until } from '../support/until.ts'

describe.each(['sqlite', 'postgres'] as const)(
  'the command line beside a server on %s',
  (database) => {
    it('creates a user and a key that work at once, and revokes the key', async () => {
      const { api, env } = await startBoth(database)
      const jo = ['--email', 'Jo@example.com', '--first-name', 'Jo', '--project', '1']
      const user = await runHedgerow(['user', 'create', ...jo, '--json'], env)

      const key = await createKey(env, user.json.uuid)
      const response = await api.withKey(key.value).get('/api/users/@me')
      const revoked = await runHedgerow(['key', 'revoke', key.id, '--json'], env)

      expect(user.json).toMatchObject({ id: 2, email: 'Jo@example.com', level: 1, projects: [1] })
      expect(response).toMatchObject({
        status: 200,
        body: { uuid: user.json.uuid, team: { id: 1 } },
      })
      expect(revoked.json).toMatchObject({ id: key.id, user: { uuid: user.json.uuid } })
      await until(async () => (await api.withKey(key.value).get('/api/users/@me')).status === 401)
    })

    it('adds a user to a project and removes them, even from their current project', async () => {
      const { api, env } = await startBoth(database)
      await runHedgerow(['project', 'create', '--name', 'Web shop'], env)
      await runHedgerow(['user', 'create', '--email', 'jo@example.com', '--project', '2'], env)
      const { value } = await createKey(env, 'JO@EXAMPLE.COM')
      const reaches = (...expected: unknown[]) =>
        until(async () => isDeepStrictEqual(await reach(api, value), expected))

      const added = await runHedgerow(['member', 'add', '--user', '2', '--project', '1'], env)
      await reaches([1, 2], 2)
      const removed = await runHedgerow(['member', 'remove', '--user', '2', '--project', '2'], env)
      await reaches([1], 1)

      expect(added.stdout).toBe('jo@example.com is now a member of project 1\n')
      expect(removed.stdout).toBe('jo@example.com is no longer a member of project 2\n')
    })

    it('creates a token for an identity provider, and revokes it', async () => {
      const { api, env } = await startBoth(database)
      const created = await runHedgerow(['scim', 'create-token', '--label', 'Entra', '--json'], env)
      const provider = api.withKey(created.json.value)
      const used = await provider.get('/scim/v2/Users')

      const listed = await runHedgerow(['scim', 'list-tokens'], env)
      const revoked = await runHedgerow(['scim', 'revoke-token', created.json.id], env)

      expect([used.status, used.body.totalResults]).toEqual([200, 1])
      expect(listed.stdout).toContain('Entra')
      expect(listed.stdout).not.toContain(created.json.value)
      expect(revoked.stdout).toBe('Revoked the SCIM token "Entra"\n')
      await until(async () => (await provider.get('/scim/v2/Users')).status === 401)
    })

    it('makes a user a viewer of a project, and a member again', async () => {
      const { api, env } = await startBoth(database)
      const jo = ['--email', 'jo@example.com', '--project', '1', '--access', 'viewer']
      const created = await runHedgerow(['user', 'create', '--json', ...jo], env)
      const { value } = await createKey(env, 'jo@example.com')
      const member = api.withKey(value)
      const { id } = (await api.post('dashboards', { name: 'Sales' })).body
      const path = `dashboards/${id}/activity`
      const isMember = async () => (await member.get(path)).status === 200
      const setAccess = (access: string) => {
        const options = ['--user', '2', '--project', '1', '--access', access]
        return runHedgerow(['member', 'set-access', ...options], env)
      }

      expect(created.json).toMatchObject({ projects: [1], viewer_of: [1] })
      expect((await member.get('dashboards')).status).toBe(200)
      expect(await isMember()).toBe(false)
      expect((await setAccess('member')).stdout).toBe(
        'jo@example.com is now a member of project 1\n',
      )
      await until(isMember)
      await setAccess('viewer')
      await until(async () => !(await isMember()))
      expect((await setAccess('owner')).stderr).toContain('Use one of member, viewer.')
    })

    it('lists users, projects and keys, but no secret values', async () => {
      const env = toEnv(await storageOptions(database))
      const key = await createKey(env, '1')

      const [users, projects, keys] = await Promise.all(
        ['user', 'project', 'key'].map((thing) => runHedgerow([thing, 'list', '--json'], env)),
      )

      expect(users?.json.results).toMatchObject([{ id: 1, email: OWNER.email, level: 15 }])
      expect(projects?.json.results).toMatchObject([{ id: 1, name: 'Default project' }])
      expect(keys?.json.results).toMatchObject([{ label: 'First key' }, { id: key.id }])
      expect(keys?.stdout).not.toContain(key.value)
    })
  },
)

it('limits a key to scopes, projects and an expiry', async () => {
  const { api, env } = await startBoth('sqlite')
  await runHedgerow(['project', 'create', '--name', 'Web shop'], env)

  const key = await createKey(env, '1', '--project', '2', '--expires', '2999-01-31')

  const { get, post } = api.withKey(key.value)
  const dashboards = (project: number) => `/api/environments/${project}/dashboards`
  expect(key).toMatchObject({ projects: [2], expires_at: '2999-01-31T00:00:00.000Z' })
  expect((await get(dashboards(2))).status).toBe(200)
  expect((await get(dashboards(1))).status).toBe(403)
  expect((await post(dashboards(2), {})).status).toBe(403)
})

/** Starts a server in this process; commands run in another one, on the same storage. */
async function startBoth(database: 'sqlite' | 'postgres') {
  const options = await storageOptions(database)
  return { api: await startApp(undefined, {}, options), env: toEnv(options) }
}

async function createKey(env: Environment, user: string, ...more: string[]) {
  const args = ['--user', user, '--label', 'CI', '--scope', 'dashboard:read', ...more, '--json']
  const { json, stdout } = await runHedgerow(['key', 'create', ...args], env)
  expect(stdout.trimEnd().split('\n')).toHaveLength(1)
  expect(json.value).toMatch(/^phx_\w{43}$/)
  return json
}

/** Returns the projects that a key can see, and the current one. */
async function reach(api: TestApp, key: string): Promise<unknown> {
  const { body } = await api.withKey(key).get('/api/projects')
  const me = await api.withKey(key).get('/api/users/@me')
  return [body.results.map(({ id }: { id: number }) => id), me.body.team?.id]
}
