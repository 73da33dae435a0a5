import { describe, expect, it } from 'vitest'
import { openStorage } from '#server/db/open.ts'
import { now } from '#server/db/values.ts'
import { runHedgerow, toEnv } from '../support/app/cli.ts'
import { OWNER } from '../support/app/owner.ts'
import { storageOptions } from '../support/app/storage.ts'

describe('command output', () => {
  it('shows a new key once', async () => {
    const env = toEnv(await storageOptions('sqlite'))
    const args = ['--user', '1', '--label', 'CI', '--scope', 'dashboard:read', 'plugin:write']

    const { stdout, stderr, code } = await runHedgerow(['key', 'create', ...args], env)

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/It is shown only once[\s\S]*\n {2}phx_\w{43}\n/)
    expect(stdout).toMatch(
      /Scopes: {3}dashboard:read, plugin:write\nProjects: all\nExpires: {2}never\n/,
    )
    expect(stdout.match(/phx_/g)).toHaveLength(1)
  })

  it('names the created record', async () => {
    const env = toEnv(await storageOptions('sqlite'))
    const admin = ['--email', 'ada@example.com', '--level', 'admin']

    const project = await runHedgerow(['project', 'create', '--name', ' Web shop '], env)
    const user = await runHedgerow(['user', 'create', ...admin], env)
    const member = await runHedgerow(['member', 'add', '--user', '2', '--project', '2'], env)

    expect(project.stdout).toBe('Project 2: Web shop\n')
    expect(user.stdout).toBe('User 2: ada@example.com, admin, projects: all\n')
    expect(member.stdout).toBe('ada@example.com is now a member of project 2\n')
  })

  it('prints a reset link with the public URL', async () => {
    const env = toEnv(await storageOptions('sqlite'))
    const known = { ...env, HEDGEROW_URL: 'https://hedgerow.example/' }

    const local = await runHedgerow(['user', 'reset-link', OWNER.email], env)
    const outside = await runHedgerow(['user', 'reset-link', OWNER.email, '--json'], known)
    const nobody = await runHedgerow(['user', 'reset-link', 'nobody@example.com'], env)

    expect(local.stdout).toMatch(/^http:\/\/127.0.0.1:8000\/reset-password#token=\w{43}\n$/)
    expect(outside.json.value).toMatch(/^https:\/\/hedgerow.example\/reset-password#token=\w{43}$/)
    expect(nobody).toMatchObject({ code: 1, stdout: '' })
  })

  it('resets a second factor, and says who has none', async () => {
    const options = await storageOptions('sqlite')
    const { db, close } = await openStorage(options)
    const factor = { user_id: 1, secret: 'encrypted', confirmed_at: now() }
    await db.insertInto('second_factors').values(factor).execute()
    const reset = () => runHedgerow(['user', 'reset-2fa', OWNER.email], toEnv(options))

    const first = await reset()
    const second = await reset()

    expect(first.stdout).toBe(
      `${OWNER.email} signs in with the password alone now, and was signed out everywhere.\n`,
    )
    expect(second).toMatchObject({ code: 1, stdout: '' })
    expect(second.stderr).toBe(`hedgerow: ${OWNER.email} has no second factor.\n`)
    expect(await db.selectFrom('second_factors').selectAll().execute()).toEqual([])
    await close()
  })

  it('aligns tables', async () => {
    const env = toEnv(await storageOptions('sqlite'))
    await runHedgerow(['project', 'create', '--name', 'A rather long name\u001b[2J'], env)

    const { stdout } = await runHedgerow(['project', 'list'], env)

    const [title, ...rows] = stdout.trimEnd().split('\n')
    expect(title).toMatch(/^ID {2}NAME +EVENT TOKEN$/)
    expect(rows.map((row) => row.indexOf('phc_'))).toEqual(
      [28, 28].map(() => title?.indexOf('EVENT')),
    )
    expect(stdout).not.toContain('\u001b')
  })

  it("lists one user's keys and revokes one by ID", async () => {
    const env = toEnv(await storageOptions('sqlite'))
    await runHedgerow(['user', 'create', '--email', 'jo@example.com'], env)
    const before = await runHedgerow(['key', 'list'], env)
    const id = /^(\w{22}) .*First key/m.exec(before.stdout)?.[1] ?? ''

    const none = await runHedgerow(['key', 'list', '--user', 'jo@example.com', '--json'], env)
    const revoked = await runHedgerow(['key', 'revoke', id], env)

    expect(none.json).toEqual({ results: [] })
    expect(revoked.stdout).toBe('Revoked the key "First key" of owner@example.com\n')
  })
})
