import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { OperatorError } from '../errors.ts'
import { resetSecondFactor } from '../features/accounts/account/second-factor.ts'
import { createUser } from '../features/accounts/members/create-user.ts'
import {
  ORGANIZATION_LEVELS,
  type OrganizationLevel,
  organizationLevelName,
} from '../features/accounts/members/organization-levels.ts'
import { type Account, listAccounts } from '../features/accounts/members/store.ts'
import { mailSecondFactorEvent } from '../features/accounts/second-factor/mail.ts'
import { insertOneTimeToken } from '../features/accounts/sessions/one-time-tokens-store.ts'
import { getUser } from '../features/accounts/users/users.ts'
import { createMailer } from '../mail/mailer.ts'
import type { ProjectLevel } from '../model/levels.ts'
import { parseLevel, parseProjectLevel, parseProjects } from './arguments.ts'
import { type OutputFormat, print, toTable, withFormat } from './print.ts'
import { withStorage } from './storage.ts'

export function define(command: Command): void {
  withFormat(
    command.command('create'),
    'user create --email jo@example.com --first-name Jo --project 1',
  )
    .description('create a user')
    .requiredOption('--email <address>', 'the e-mail, which must be unique')
    .option('--first-name <name>', 'first name', '')
    .option('--last-name <name>', 'last name', '')
    .option(
      '--level <level>',
      'member, admin or owner (or 1, 8, 15); the last two reach every project',
      parseLevel,
      ORGANIZATION_LEVELS.member,
    )
    .option('--project <id...>', 'projects to add the user to', parseProjects)
    .option('--access <level>', 'member or viewer of these projects', parseProjectLevel, 'member')
    .action(create)
  withFormat(command.command('list'), 'user list').description('list the users').action(list)
  withFormat(command.command('reset-link <email>'), 'user reset-link jo@example.com')
    .description('create a link to set a new password, valid once and for a day')
    .action(resetLink)
  withFormat(command.command('reset-2fa <email>'), 'user reset-2fa jo@example.com')
    .description('remove the second factor of someone who lost it, and sign them out')
    .action(resetFactor)
}

interface CreateOptions extends OutputFormat {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly level: OrganizationLevel
  readonly project?: readonly number[]
  readonly access: ProjectLevel
}

async function create({ project = [], access, ...options }: CreateOptions): Promise<void> {
  const user = await withStorage((db) =>
    createUser(db, { ...options, projects: project, accessLevel: access }),
  )
  print(
    options,
    user,
    `User ${user.id}: ${user.email}, ${organizationLevelName(user.level)}, projects: ${reach(user)}`,
  )
}

async function list(format: OutputFormat): Promise<void> {
  const results = await withStorage(listAccounts)
  const rows = results.map((user) => [
    `${user.id}`,
    user.email,
    `${user.first_name} ${user.last_name}`.trim(),
    organizationLevelName(user.level),
    reach(user),
    user.uuid,
  ])
  print(format, { results }, toTable(['ID', 'E-MAIL', 'NAME', 'LEVEL', 'PROJECTS', 'UUID'], rows))
}

async function resetLink(email: string, format: OutputFormat): Promise<void> {
  const token = await withStorage(async (db) => {
    const user = await getUser(db, email)
    return insertOneTimeToken(db, 'reset_password', user.id)
  })
  const value = `${reachableUrl()}/reset-password#token=${token}`
  print(format, { value }, value)
}

async function resetFactor(email: string, format: OutputFormat): Promise<void> {
  const mailer = createMailer(readConfig().mail)
  const problem = await withStorage(async (db) => {
    const user = await getUser(db, email)
    if (!(await resetSecondFactor(db, user.id))) {
      throw new OperatorError(`${user.email} has no second factor.`)
    }
    return mailSecondFactorEvent({ db, mailer }, user.id, 'reset')
  }).finally(() => mailer.close())
  const lines = [
    `${email} signs in with the password alone now, and was signed out everywhere.`,
    ...(problem ? [`They could not be told by mail: ${problem}`] : []),
  ]
  print(format, { email, mail_problem: problem ?? null }, lines.join('\n'))
}

/** Returns HEDGEROW_URL, or the URL of the server as seen from this machine. */
function reachableUrl(): string {
  const { url, host, port } = readConfig()
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return url ?? `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

export const reach = ({ level, projects, viewer_of }: Account): string =>
  level > ORGANIZATION_LEVELS.member
    ? 'all'
    : projects.map((id) => (viewer_of.includes(id) ? `${id} (viewer)` : id)).join(', ') || 'none'
