/** The packages that apps may import. `node:crypto` and the like name the same ones. */
export const PROVIDED: readonly string[] = [
  '@posthog/plugin-scaffold',
  'node-fetch',
  'crypto',
  'url',
  'zlib',
]

export const notProvided = (name: string): string =>
  `Cannot import '${name}'! This package is not provided by Hedgerow in apps.`

/** Whether an app may import it, and under which name it is then known. */
export function findProvided(name: string): string | undefined {
  const plain = name.replace(/^node:/, '')
  return PROVIDED.includes(plain) ? plain : undefined
}
