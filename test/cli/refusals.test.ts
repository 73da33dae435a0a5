import { describe, expect, it } from 'vitest'
import { openStorage, type StorageOptions } from '#server/db/open.ts'
import { runHedgerow, toEnv } from '../support/app/cli.ts'
import { emptyStorage, storageOptions } from '../support/app/storage.ts'

const user = (...more: string[]) => ['user', 'create', '--email', 'jo@example.com', ...more]
const key = (...more: string[]) => ['key', 'create', '--label', 'x', '--user', '1', ...more]
const all = ['--scope', '*']

describe('a refusal is one line and changes nothing', () => {
  it.each([
    [['user', 'create', '--email', 'OWNER@example.com'], /already a user with the e-mail/],
    [['user', 'create', '--email', 'nobody'], /"nobody" is not an e-mail address/],
    [['user', 'create', '--email', 'a b@example.com'], /is not an e-mail address/],
    [user('--first-name', 'x'.repeat(151)), /first name may have at most 150 characters/],
    [user('--project', '1', '9'), /There is no project 9\. See `hedgerow project list`/],
    [['project', 'create', '--name', ' \n'], /The name may not be empty/],
    [['project', 'create', '--name', 'x'.repeat(401)], /name may have at most 400 characters/],
    [key(...all, '--label', ''), /The label may not be empty/],
    [key(...all, '--label', 'x'.repeat(41)), /label may have at most 40 characters/],
    [key(...all, '--user', 'nobody@example.com'), /There is no user "nobody.*`hedgerow user list`/],
    [key(...all, '--project', '9'), /There is no project 9/],
    [key(...all, '--expires', '2020-01-01'), /The expiry 2020-01-01T00:00:00.000Z is in the past/],
    [['key', 'list', '--user', '7'], /There is no user "7"/],
    [
      ['key', 'revoke', 'phx_secret'],
      /^hedgerow: There is no key with that ID\. See `hedgerow key/,
    ],
    [['member', 'add', '--user', 'x', '--project', '1'], /There is no user "x"/],
    [['member', 'add', '--user', '1', '--project', '9'], /There is no project 9/],
    [['member', 'remove', '--user', '1', '--project', '1'], /is not a member of project 1/],
  ])('%j', async (args, expected) => {
    const options = await storageOptions('sqlite')
    const before = await readAccess(options)

    const { code, stdout, stderr } = await runHedgerow([...args, '--json'], toEnv(options))

    expect(stderr).toMatch(expected)
    expect(stderr).toMatch(/^hedgerow: .*\n$/)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(await readAccess(options)).toEqual(before)
  })

  it('does not create a key for a project that its user cannot access', async () => {
    const env = toEnv(await storageOptions('sqlite'))
    await runHedgerow(user(), env)

    const { code, stderr } = await runHedgerow(key(...all, '--user', '2', '--project', '1'), env)

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'hedgerow: jo@example.com is not a member of project 1.\n',
    })
  })

  it('does not add a member twice', async () => {
    const env = toEnv(await storageOptions('sqlite'))
    await runHedgerow(user('--project', '1'), env)

    const again = await runHedgerow(['member', 'add', '--user', '2', '--project', '1'], env)

    expect(again).toMatchObject({
      code: 1,
      stderr: 'hedgerow: jo@example.com is already a member of project 1.\n',
    })
  })

  it.each(['sqlite', 'postgres'] as const)(
    'asks the operator to start the server first on %s',
    async (database) => {
      const env = toEnv(await emptyStorage(database))

      const { code, stdout, stderr } = await runHedgerow(key(...all), env)

      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^hedgerow: The storage is empty\. .*hedgerow serve.*\n$/)
    },
  )
})

async function readAccess(options: StorageOptions) {
  const { db, close } = await openStorage(options)
  const tables = ['access_state', 'users', 'projects', 'project_members', 'api_keys'] as const
  const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()))
  await close()
  return rows
}
