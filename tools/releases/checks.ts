/** The facts that decide whether a version can be released. */
export interface ReleaseFacts {
  readonly manifest: Manifest
  /** The versions in package-lock.json, which repeats that of package.json. */
  readonly lockedVersions: readonly (string | undefined)[]
  readonly changelog: string
  readonly tags: readonly string[]
  readonly changedFiles: readonly string[]
  /** The files in test/releases/<version>. */
  readonly storage: readonly string[]
  /** Today, such as 2026-11-17. */
  readonly today: string
}

export interface Manifest {
  readonly version: string
  readonly private?: boolean
  readonly repository?: { readonly url?: string }
  readonly homepage?: string
  readonly bugs?: { readonly url?: string }
}

export interface PackedFile {
  readonly path: string
  readonly size: number
}

const SEMVER = /^\d+\.\d+\.\d+(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/
const STORAGE = ['sqlite.tar.gz', 'postgres.tar.gz']

const MAX_MEGABYTES = 12
const REQUIRED = [
  ...['LICENSE', 'README.md', 'CHANGELOG.md', 'bin/hedgerow.mjs', 'lib/main.js', 'lib/commit'],
  ...['docs/index.md', 'skeleton/plugin.json', 'web/dist/index.html'],
]
const ALLOWED = [
  /^(LICENSE|README\.md|CHANGELOG\.md|package\.json|bin\/hedgerow\.mjs|web\/prepare\.mjs)$/,
  /^apps\/[\w/-]+(?<!\.test)\.(ts|json|yaml|svg)$/,
  /^docs\/[\w/.-]+\.(md|json|yml|svg|webp)$/,
  /^lib\/([\w/.-]+\.js|packages\/[\w-]+\.mjs|commit|geoip\/countries\.mmdb\.br|fonts\/[\w.-]+|licenses\/[@\w/.-]+)$/,
  /^skeleton\/[\w.-]+$/, // with the test of a new app
  /^web\/dist\/[\w/.-]+\.(js|css|html|json|svg|webp|woff2|png|ico|txt|md)(\.br|\.gz)?$/,
  /^web\/dist\/static\/[\w.]+\/LICENSE$/,
]

/** Finds what stands in the way of a release, a sentence for each problem. */
export function findProblems(facts: ReleaseFacts): string[] {
  const { manifest, tags, changedFiles } = facts
  const { version } = manifest
  if (!SEMVER.test(version)) {
    return [
      `The version "${version}" in package.json is not semver, such as 1.2.3 or 1.2.3-beta.1.`,
    ]
  }
  const otherLock = facts.lockedVersions.find((locked) => locked !== version)
  const isLocked = facts.lockedVersions.every((locked) => locked === version)
  const lacking = STORAGE.filter((file) => !facts.storage.includes(file))
  return [
    tags.includes(`v${version}`) &&
      `v${version} is already tagged: increase the version in package.json and package-lock.json.`,
    !isLocked && `package-lock.json has the version ${otherLock} instead of ${version}.`,
    changedFiles.length > 0 && `Commit or stash what is changed: ${some(changedFiles)}.`,
    lacking.length > 0 &&
      `test/releases/${version} has no ${lacking.join(', ')}: run "npm run release-storage".`,
    ...findManifestProblems(manifest),
    ...findChangelogProblems(facts),
  ].filter((problem) => problem !== false)
}

/** npm refuses to publish with provenance if the repository is not that of the build. */
function findManifestProblems({ private: isPrivate, ...manifest }: Manifest): string[] {
  const places = [
    ['repository.url', manifest.repository?.url],
    ['homepage', manifest.homepage],
    ['bugs.url', manifest.bugs?.url],
  ] as const
  const missing = places.filter(([, url]) => !/^(git\+)?https:\/\/[^/]+\/./.test(url ?? ''))
  return [
    isPrivate && 'package.json has "private": true, so npm would not publish it.',
    missing.length > 0 &&
      `package.json names no public address in ${missing.map(([name]) => name).join(', ')}, which provenance needs.`,
  ].filter((problem) => problem !== false && problem !== undefined)
}

function findChangelogProblems({
  changelog,
  manifest: { version },
  today,
}: ReleaseFacts): string[] {
  const [, heading = '', text = ''] =
    /^## (.*)\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog) ?? []
  const [name, date = ''] = heading.split(' - ')
  if (name !== version || !isDate(date)) {
    return [
      `CHANGELOG.md must begin with "## ${version} - ${today}", and begins with "## ${heading}".`,
    ]
  }
  const sections = text.split(/^### /m).slice(1)
  const empty = sections.filter((section) => section.split('\n').slice(1).join('').trim() === '')
  return [
    date > today && `CHANGELOG.md dates ${version} ${date}, which is in the future.`,
    text.trim() === '' && `CHANGELOG.md says nothing about ${version}.`,
    ...empty.map(
      (section) => `"${section.split('\n')[0]}" of ${version} in CHANGELOG.md is empty.`,
    ),
  ].filter((problem) => problem !== false)
}

/** Finds what is wrong with the files of a package, a sentence for each problem. */
export function findContentProblems(files: readonly PackedFile[], packedSize: number): string[] {
  const paths = files.map(({ path }) => path)
  const foreign = paths.filter((path) => !ALLOWED.some((pattern) => pattern.test(path)))
  const missing = REQUIRED.filter((path) => !paths.includes(path))
  const megabytes = packedSize / 1e6
  return [
    foreign.length > 0 && `The package contains files that do not belong there: ${some(foreign)}.`,
    missing.length > 0 && `The package lacks ${some(missing)}.`,
    megabytes > MAX_MEGABYTES &&
      `The package has ${megabytes.toFixed(1)} MB, and may have ${MAX_MEGABYTES}.`,
  ].filter((problem) => problem !== false)
}

const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

function some(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ')
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown
}
