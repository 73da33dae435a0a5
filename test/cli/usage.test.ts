import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { SCOPES } from '#server/access/scopes.ts'
import { MIGRATIONS } from '#server/db/migrate.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { COMMAND, runHedgerow } from '../support/app/cli.ts'

const COMMANDS = [
  'serve',
  'demo',
  'worker',
  'migrate',
  'user create',
  'user list',
  'user reset-link',
  'user reset-2fa',
  'project create',
  'project list',
  'member add',
  'member set-access',
  'member remove',
  'key create',
  'key list',
  'key revoke',
  'scim create-token',
  'scim list-tokens',
  'scim revoke-token',
  'app install',
  'app list',
  'app upgrade',
  'app remove',
  'app new',
  'secrets rotate',
  'events forget',
  'persons rebuild',
  'backup',
  'backup verify',
  'restore',
  'move',
  'openapi',
  'doctor',
]

const NOWHERE = { HEDGEROW_DATA: '/dev/null/x' }
const key = ['key', 'create', '--user', '1', '--label', 'x']

describe('the command line', () => {
  // npm runs on the machine's own Node, which may be older than the one that npm installs
  it('starts on the Node that npm runs on', async () => {
    const node = process.env.npm_node_execpath ?? process.execPath

    const { stdout } = await promisify(execFile)(node, [COMMAND, '--version'])

    expect(stdout.split('\n', 1)).toEqual([packageJson.version])
  })

  it('shows help with an example for each command', async () => {
    const helps = COMMANDS.map((name) => runHedgerow([...name.split(' '), '--help'], NOWHERE))

    for (const [index, { code, stdout, stderr }] of (await Promise.all(helps)).entries()) {
      const command = `hedgerow ${COMMANDS[index]}`
      expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: '' })
      expect(stdout).toContain(`Usage: ${command}`)
      expect(stdout).toContain('--json')
      expect(stdout).toContain(`Example:\n  $ ${command}`)
    }
  })

  it('lists every command', async () => {
    const { code, stdout } = await runHedgerow(['help'])

    const listed = Array.from(stdout.matchAll(/^ {2}(\w+) +\w/gm), ([, name]) => name)
    expect(code).toBe(0)
    expect(listed).toEqual([...new Set(COMMANDS.map((name) => name.split(' ')[0]))])
  })

  it('prints its version, commit and schemas', async () => {
    const { stdout: head } = await promisify(execFile)('git', ['rev-parse', 'HEAD'])

    const { code, stdout } = await runHedgerow(['--version'])

    const [version, commit, schema] = stdout.split('\n')
    expect({ code, version }).toEqual({ code: 0, version: packageJson.version })
    expect(commit?.replace('-dirty', '')).toBe(`commit ${head.slice(0, 12)}`)
    expect(schema).toMatch(
      new RegExp(
        `^schema ${MIGRATIONS.at(-1)?.name}, events \\d+ \\(DuckDB\\) or \\d+ \\(PostgreSQL\\)$`,
      ),
    )
  })

  it.each([
    [['sevre'], /unknown command 'sevre' \(Did you mean serve\?\)/],
    [['user', 'crate'], /unknown command 'crate'/],
    [['user', 'list', '--jsno'], /unknown option '--jsno'/],
    [['user', 'list', 'extra'], /too many arguments/],
    [['user', 'create'], /required option '--email <address>' not specified/],
    [
      ['user', 'create', '--email', 'x', '--level', '3'],
      /one of member, admin, owner, or 1, 8, 15/,
    ],
    [['member', 'add', '--user', '1', '--project', 'one'], /`hedgerow project list`/],
    [['key', 'revoke'], /missing required argument 'id'/],
    [[...key, '--scope', 'weather:read'], new RegExp(SCOPES.join(', '))],
    [[...key, '--scope', '*', '--expires', 'soon'], /a duration such as 30d or 12h/],
  ])('refuses %j with a usage error', async (args, expected) => {
    const { code, stdout, stderr } = await runHedgerow(args, NOWHERE)

    expect(stderr).toMatch(expected)
    expect(stderr).toMatch(/^hedgerow: .*See --help\.\n$/)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  it.each([[[]], [['user']]])('shows help for %j', async (args) => {
    const { code, stdout, stderr } = await runHedgerow(args)

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('Usage: hedgerow')
  })
})
