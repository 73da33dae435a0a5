import type { Command } from 'commander'
import {
  addMember,
  removeMember,
  setMemberLevel,
} from '../features/accounts/members/project-members.ts'
import type { ProjectLevel } from '../model/levels.ts'
import { parseProject, parseProjectLevel } from './arguments.ts'
import { type OutputFormat, print, withFormat } from './print.ts'
import { withStorage } from './storage.ts'

export function define(command: Command): void {
  withMember(command.command('add'), 'member add --user jo@example.com --project 2')
    .description('add a user to a project')
    .option('--access <level>', 'member or viewer', parseProjectLevel, 'member')
    .action(add)
  withMember(
    command.command('set-access'),
    'member set-access --user jo@example.com --project 2 --access viewer',
  )
    .description('make a user a member or viewer of a project')
    .requiredOption('--access <level>', 'member or viewer', parseProjectLevel)
    .action(setAccess)
  withMember(command.command('remove'), 'member remove --user jo@example.com --project 2')
    .description('remove a user from a project')
    .action(remove)
}

const withMember = (command: Command, example: string): Command =>
  withFormat(command, example)
    .requiredOption('--user <user>', 'e-mail, UUID or ID')
    .requiredOption('--project <id>', 'the project ID', parseProject)

interface Member extends OutputFormat {
  readonly user: string
  readonly project: number
}

interface MemberWithAccess extends Member {
  readonly access: ProjectLevel
}

async function add({ user, project, access, ...format }: MemberWithAccess): Promise<void> {
  const account = await withStorage((db) => addMember(db, user, project, access))
  print(format, account, `${account.email} is now a ${access} of project ${project}`)
}

async function setAccess({ user, project, access, ...format }: MemberWithAccess): Promise<void> {
  const account = await withStorage((db) => setMemberLevel(db, user, project, access))
  print(format, account, `${account.email} is now a ${access} of project ${project}`)
}

async function remove({ user, project, ...format }: Member): Promise<void> {
  const account = await withStorage((db) => removeMember(db, user, project))
  print(format, account, `${account.email} is no longer a member of project ${project}`)
}
