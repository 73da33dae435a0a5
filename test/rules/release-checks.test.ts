import { describe, expect, it } from 'vitest'
import {
  findContentProblems,
  findProblems,
  type Manifest,
  type PackedFile,
  type ReleaseFacts,
} from '../../tools/releases/checks.ts'

const CHANGELOG = `# Changelog

About it.

## 1.2.0 - 2026-11-17

The second version.

### Added

- Charts.

## 1.1.0 - 2026-10-01

### Added
`

const MANIFEST: Manifest = {
  version: '1.2.0',
  repository: { url: 'git+https://git.example.com/hedgerow/hedgerow.git' },
  homepage: 'https://git.example.com/hedgerow/hedgerow#readme',
  bugs: { url: 'https://git.example.com/hedgerow/hedgerow/issues' },
}

const READY: ReleaseFacts = {
  manifest: MANIFEST,
  lockedVersions: ['1.2.0', '1.2.0'],
  changelog: CHANGELOG,
  tags: ['v1.1.0', 'v1.2.0-beta.1'],
  changedFiles: [],
  storage: ['postgres.tar.gz', 'sqlite.tar.gz'],
  today: '2026-11-17',
}

const withHeading = (heading: string) => ({
  changelog: CHANGELOG.replace('1.2.0 - 2026-11-17', heading),
})
const withManifest = (changes: Partial<Manifest>) => ({ manifest: { ...MANIFEST, ...changes } })

describe('a release', () => {
  it('is possible', () => {
    expect(findProblems(READY)).toEqual([])
    expect(findProblems({ ...READY, ...withHeading('1.2.0 - 2026-11-16') })).toEqual([])
  })

  it.each<[string, Partial<ReleaseFacts>, string]>([
    [
      'a version that is not semver',
      withManifest({ version: '1.2' }),
      'The version "1.2" in package.json is not semver, such as 1.2.3 or 1.2.3-beta.1.',
    ],
    [
      'a tag',
      { tags: ['v1.2.0'] },
      'v1.2.0 is already tagged: increase the version in package.json and package-lock.json.',
    ],
    [
      'another version in the lockfile',
      { lockedVersions: ['1.2.0', '1.1.0'] },
      'package-lock.json has the version 1.1.0 instead of 1.2.0.',
    ],
    [
      'no version in the lockfile',
      { lockedVersions: [undefined, '1.2.0'] },
      'package-lock.json has the version undefined instead of 1.2.0.',
    ],
    [
      'changed files',
      { changedFiles: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
      'Commit or stash what is changed: a, b, c, d, e and 2 more.',
    ],
    [
      'no storage',
      { storage: ['sqlite.tar.gz'] },
      'test/releases/1.2.0 has no postgres.tar.gz: run "npm run release-storage".',
    ],
    [
      'a private package',
      withManifest({ private: true }),
      'package.json has "private": true, so npm would not publish it.',
    ],
    [
      'no repository',
      withManifest({ repository: undefined, bugs: { url: 'bugs@example.com' } }),
      'package.json names no public address in repository.url, bugs.url, which provenance needs.',
    ],
    [
      'changes without a date',
      withHeading('1.2.0 - not released yet'),
      'CHANGELOG.md must begin with "## 1.2.0 - 2026-11-17", and begins with "## 1.2.0 - not released yet".',
    ],
    [
      'changes of another version',
      withHeading('1.3.0 - 2026-11-17'),
      'CHANGELOG.md must begin with "## 1.2.0 - 2026-11-17", and begins with "## 1.3.0 - 2026-11-17".',
    ],
    [
      'a date that does not exist',
      withHeading('1.2.0 - 2026-13-01'),
      'CHANGELOG.md must begin with "## 1.2.0 - 2026-11-17", and begins with "## 1.2.0 - 2026-13-01".',
    ],
    [
      'a date in the future',
      withHeading('1.2.0 - 2026-11-18'),
      'CHANGELOG.md dates 1.2.0 2026-11-18, which is in the future.',
    ],
    [
      'an empty section',
      { changelog: CHANGELOG.replace('- Charts.\n', '') },
      '"Added" of 1.2.0 in CHANGELOG.md is empty.',
    ],
    [
      'no changes',
      { changelog: '# Changelog\n\n## 1.2.0 - 2026-11-17\n' },
      'CHANGELOG.md says nothing about 1.2.0.',
    ],
  ])('is refused: %s', (_, changes, problem) => {
    expect(findProblems({ ...READY, ...changes })).toEqual([problem])
  })

  it('names every problem', () => {
    expect(findProblems({ ...READY, tags: ['v1.2.0'], storage: [] })).toHaveLength(2)
  })
})

const toFiles = (paths: readonly string[]): PackedFile[] => paths.map((path) => ({ path, size: 1 }))

const FILES = toFiles([
  ...['LICENSE', 'README.md', 'CHANGELOG.md', 'package.json', 'bin/hedgerow.mjs'],
  ...[
    'lib/main.js',
    'lib/commit',
    'lib/cli/commit.js',
    'lib/licenses/@fontsource-variable/inter/LICENSE',
  ],
  ...['docs/index.md', 'docs/decisions/0001-node-from-npm.md', 'docs/pictures/production.svg'],
  ...[
    'skeleton/plugin.json',
    'skeleton/index.test.ts',
    'apps/csv/index.ts',
    'apps/csv/plugin.json',
  ],
  ...['web/dist/index.html', 'web/dist/assets/page-abc123.js.br', 'web/prepare.mjs'],
])

describe('a package', () => {
  it('is complete', () => {
    expect(findContentProblems(FILES, 9e6)).toEqual([])
  })

  it.each([
    'apps/csv/reader.test.ts',
    'lib/main.ts',
    'lib/main.js.map',
    'src/main.ts',
    'test/support/app/app.ts',
    'tools/compile.ts',
    'web/src/main.tsx',
    'web/dist/assets/page-abc123.js.map',
    'docs/pictures/.DS_Store',
    'data/secret.key',
    '.npmrc',
  ])('does not contain %s', (path) => {
    expect(findContentProblems([...FILES, ...toFiles([path])], 9e6)).toEqual([
      `The package contains files that do not belong there: ${path}.`,
    ])
  })

  it('is refused without its license, and when it is too large', () => {
    expect(findContentProblems(FILES.slice(1), 13e6)).toEqual([
      'The package lacks LICENSE.',
      'The package has 13.0 MB, and may have 12.',
    ])
  })
})
