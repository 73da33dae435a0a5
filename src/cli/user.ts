import type { Command } from 'commander'
import { LEVELS, type Level, toLevelName } from '../features/users/levels.ts'
import { type Account, listAccounts } from '../features/users/members-store.ts'
import { createUser } from '../features/users/users.ts'
import { parseLevel, parseProjects } from './arguments.ts'
import { type Format, print, toTable, withFormat } from './print.ts'
import { withStorage } from './storage.ts'

export function define(command: Command): void {
  withFormat(
    command.command('create'),
    'user create --email jo@example.com --first-name Jo --project 1',
  )
    .description('make a user')
    .requiredOption('--email <address>', 'their e-mail, which no other user has')
    .option('--first-name <name>', 'their first name', '')
    .option('--last-name <name>', 'their last name', '')
    .option(
      '--level <level>',
      'member, admin or owner (or 1, 8, 15); the last two reach every project',
      parseLevel,
      LEVELS.member,
    )
    .option('--project <id...>', 'the projects they become a member of', parseProjects)
    .action(create)
  withFormat(command.command('list'), 'user list').description('list the users').action(list)
}

interface CreateOptions extends Format {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly level: Level
  readonly project?: readonly number[]
}

async function create({ project = [], ...options }: CreateOptions): Promise<void> {
  const user = await withStorage((db) => createUser(db, { ...options, projects: project }))
  print(
    options,
    user,
    `User ${user.id}: ${user.email}, ${toLevelName(user.level)}, projects: ${reach(user)}`,
  )
}

async function list(format: Format): Promise<void> {
  const results = await withStorage(listAccounts)
  const rows = results.map((user) => [
    `${user.id}`,
    user.email,
    `${user.first_name} ${user.last_name}`.trim(),
    toLevelName(user.level),
    reach(user),
    user.uuid,
  ])
  print(format, { results }, toTable(['ID', 'E-MAIL', 'NAME', 'LEVEL', 'PROJECTS', 'UUID'], rows))
}

export const reach = ({ level, projects }: Account): string =>
  level > LEVELS.member ? 'all' : projects.join(', ') || 'none'
