import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runNpm } from '../../test/support/app/npm.ts'
import { ROOT, readText } from '../sources.ts'
import { findProblems, type ReleaseFacts } from './checks.ts'
import { checkInstalled, checkTarball, installTarball } from './tarball.ts'

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean)

function readFacts(): ReleaseFacts {
  const manifest = JSON.parse(readText('package.json'))
  const lock = JSON.parse(readText('package-lock.json'))
  const storage = join(ROOT, 'test/releases', manifest.version)
  return {
    manifest,
    lockedVersions: [lock.version, lock.packages[''].version],
    changelog: readText('CHANGELOG.md'),
    tags: git('tag', '--list'),
    changedFiles: git('status', '--porcelain').map((line) => line.slice(3)),
    storage: existsSync(storage) ? readdirSync(storage) : [],
    today: new Date().toISOString().slice(0, 10),
  }
}

/** Writes the package of this checkout and returns its file, relative to the root. */
async function pack(): Promise<string> {
  const printed = await runNpm(['pack', '--silent'], ROOT)
  return `./${printed.trim().split('\n').at(-1)}`
}

/** Checks a package as users get it. */
async function checkPackage(tarball: string, version: string): Promise<string[]> {
  const problems = await checkTarball(tarball)
  if (problems.length > 0) return problems
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-release-'))
  try {
    return await checkInstalled(await installTarball(tarball, folder), folder, version)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Run before a release: checks everything that can be checked, and says what remains to be done by hand. */
const facts = readFacts()
const { version } = facts.manifest
const problems = findProblems(facts)
if (problems.length === 0) {
  const tarball = await pack()
  problems.push(...(await checkPackage(join(ROOT, tarball), version)))
  if (problems.length === 0) {
    // npm would install a version such as 1.2.0-beta.1 by default
    const tag = version.includes('-') ? ' --tag next' : ''
    process.stdout.write(`${version} is packed in ${tarball}; it installs and starts. What remains:

  npm test && npm run check:full
  git tag v${version} && git push origin v${version}
  npm publish ${tarball} --provenance${tag}   # in the CI of the repository, which signs where it was built
`)
  }
}
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
