import type { Command } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { type Config, readConfig } from '../config.ts'
import { bad, type Check, good } from './checks/check.ts'
import { checkDataFolder } from './checks/data-folder.ts'
import { checkDatabase } from './checks/database.ts'
import { checkServer } from './checks/server.ts'
import { findCommit } from './commit.ts'
import { type OutputFormat, print, withFormat } from './print.ts'
import { repair } from './repair.ts'
import { describeSchema } from './version.ts'

const MARKS = { good: '✓', warning: '!', bad: '✗' }

export function define(command: Command): void {
  withFormat(command, 'doctor')
    .option('--repair', 'rebuild indexes, facts and persons, and delete broken references')
    .addHelpText('after', '\nStop all servers and workers before you repair.')
    .action(runDoctor)
}

interface Options extends OutputFormat {
  readonly repair?: boolean
}

async function runDoctor({ repair: isRepair, ...format }: Options): Promise<void> {
  const repairs = isRepair ? await repair(readConfig()) : undefined
  const checks = await runChecks()
  const ok = checks.every(({ state }) => state !== 'bad')
  const results = checks.map(({ name, state, detail }) => ({ name, ok: state !== 'bad', detail }))
  const text = [...(repairs ?? []), ...checks.map(toLine)].join('\n')
  print(format, { ok, ...(repairs && { repairs }), checks: results }, text)
  if (!ok) process.exitCode = 1
}

async function runChecks(): Promise<Check[]> {
  const config = tryConfig()
  if (config instanceof Error) return [...checkProgram(), bad('configuration', config.message)]
  return [
    ...checkProgram(),
    good('configuration', 'ok'),
    ...(await checkDataFolder(config.dataFolder)),
    ...(await checkDatabase(config)),
    await checkServer(config.host, config.port),
  ]
}

function tryConfig(): Config | Error {
  try {
    return readConfig()
  } catch (error) {
    return error as Error
  }
}

const checkProgram = (): Check[] => [
  good('version', `${packageJson.version}, commit ${findCommit()}, schema ${describeSchema()}`),
  good('Node', `${process.versions.node} (required: ${packageJson.engines.node})`),
]

const toLine = ({ name, state, detail }: Check): string =>
  `${MARKS[state]} ${name.padEnd(13)}  ${detail}`
