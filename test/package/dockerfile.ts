import { execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { isAbsolute, join, matchesGlob, relative } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../../tools/sources.ts'
import { USER_ENV } from '../support/app/npm.ts'

/** Absolute paths in the image; others are those of this machine, which stands for the base image. */
const IMAGE_PATH = /(^|[\s=:"'])(\/(?:app|build|data|usr\/local)\b)/g
/** Installs what this repository has installed from the same lockfile, 850 MB. */
const INSTALL_ALL = 'npm ci --ignore-scripts'
const IS_ROOT = process.getuid?.() === 0

const run = promisify(execFile)

/** A stage of a build: the folder that stands for its file system, and the settings of its containers. */
export interface Stage {
  readonly root: string
  workdir: string
  /** The variables of its containers. */
  env: Record<string, string>
  /** The arguments of the build, which only its steps see. */
  args: Record<string, string>
  user: number | undefined
  entrypoint: readonly string[]
  command: readonly string[]
  healthcheck: readonly string[]
}

/** Runs the steps of the Dockerfile on this machine, with a folder for each stage. Returns the stages; the last is the image. */
export async function buildImage(
  folder: string,
  args: Readonly<Record<string, string>>,
): Promise<Stage[]> {
  const stages: Stage[] = []
  const names: string[] = []
  const umask = process.umask(0o022) // Docker's; the tests keep their files to themselves
  for (const [instruction, rest] of readSteps()) {
    if (instruction === 'FROM') {
      names.push(/ AS (\w+)$/.exec(rest)?.[1] ?? '')
      stages.push(startStage(join(folder, `stage-${stages.length}`)))
      continue
    }
    const stage = stages.at(-1)
    if (!stage) throw new Error(`${instruction} comes before FROM.`)
    const from = /^--from=(\w+) /.exec(rest)?.[1]
    const source = from === undefined ? undefined : stages[names.indexOf(from)]
    await runStep(stage, instruction, rest, { args, source })
  }
  process.umask(umask)
  if (!IS_ROOT) await setWritable(stages, '-w')
  return stages
}

function readSteps(): [string, string][] {
  const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return lines.map((line) => {
    const [instruction = ''] = line.split(' ', 1)
    return [instruction, line.slice(instruction.length + 1)]
  })
}

function startStage(root: string): Stage {
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true })
  chmodSync(root, 0o755)
  return {
    root,
    workdir: '/',
    env: { PATH: `${join(root, 'usr/local/bin')}:${USER_ENV.PATH}` },
    args: {},
    user: undefined,
    entrypoint: [],
    command: [],
    healthcheck: [],
  }
}

interface Inputs {
  readonly args: Readonly<Record<string, string>>
  readonly source: Stage | undefined
}

async function runStep(stage: Stage, instruction: string, rest: string, inputs: Inputs) {
  const steps: Record<string, () => unknown> = {
    WORKDIR: () => {
      stage.workdir = rest
      mkdirSync(stage.root + rest, { recursive: true })
    },
    COPY: () => copy(stage, rest, inputs.source),
    ARG: () => {
      stage.args[rest] = inputs.args[rest] ?? ''
    },
    ENV: () => setVariables(stage, rest),
    RUN: () => runCommand(stage, rest),
    USER: () => {
      stage.user = Number.parseInt(rest, 10)
    },
    ENTRYPOINT: () => {
      stage.entrypoint = JSON.parse(rest)
    },
    CMD: () => {
      stage.command = JSON.parse(rest)
    },
    HEALTHCHECK: () => {
      stage.healthcheck = JSON.parse(rest.slice(rest.indexOf('CMD ') + 4))
    },
    VOLUME: () => {},
    EXPOSE: () => {},
  }
  const step = steps[instruction]
  if (!step) throw new Error(`The test does not know ${instruction}.`)
  await step()
}

function copy({ root, workdir }: Stage, rest: string, source: Stage | undefined): void {
  const paths = rest.split(' ').filter((part) => !part.startsWith('--'))
  const target = paths.pop() ?? ''
  const to = root + (isAbsolute(target) ? target : join(workdir, target))
  const from = source?.root ?? ROOT
  const filter = source ? () => true : (path: string) => isInContext(relative(ROOT, path))
  for (const path of paths) {
    const isFolder = source !== undefined || path === '.'
    cpSync(join(from, path), isFolder ? to : join(to, path), {
      recursive: true,
      verbatimSymlinks: true,
      filter,
    })
  }
}

const IGNORED = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

/** Applies .dockerignore, where the last line that matches a path or one of its folders counts. */
function isInContext(path: string): boolean {
  if (path === '') return true
  const parts = path.split('/')
  const folders = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
  const matches = (line: string) =>
    folders.some((folder) => matchesGlob(folder, line.replace('!', '')))
  return IGNORED.findLast(matches)?.startsWith('!') ?? true
}

function setVariables(stage: Stage, rest: string): void {
  for (const pair of rest.split(' ')) {
    const [name = '', value = ''] = pair.split('=')
    stage.env[name] = inStage(stage, value).replace('$PATH', stage.env.PATH ?? '')
  }
}

async function runCommand(stage: Stage, command: string): Promise<void> {
  const cwd = stage.root + stage.workdir
  if (command === INSTALL_ALL) {
    symlinkSync(join(ROOT, 'node_modules'), join(cwd, 'node_modules'))
    return
  }
  // only root can create files of other users
  const allowed = IS_ROOT ? command : command.replace(/ -o \d+ -g \d+/, '')
  const env = { ...USER_ENV, ...stage.args, ...stage.env }
  await run('sh', ['-c', inStage(stage, allowed)], { cwd, env })
}

const inStage = ({ root }: Stage, text: string): string =>
  text.replaceAll(IMAGE_PATH, `$1${root}$2`)

/** Returns how a process of the image is started: as its user, who can write only to /data. */
export function containerOptions(stage: Stage) {
  const { root, workdir, env, user } = stage
  return { cwd: root + workdir, env, ...(IS_ROOT && { uid: user, gid: user }) }
}

/** Lets this user write to the program of the image or not. Only root can start it as another user, who cannot. */
export async function setWritable(stages: readonly Stage[], mode: '+w' | '-w'): Promise<void> {
  const { root = '' } = stages.at(-1) ?? {}
  await run('chmod', ['-R', `u${mode}`, join(root, 'app'), join(root, 'usr')])
}
