/** Node's own modules among the packages that apps may import. */
export const PROVIDED_MODULES: readonly string[] = ['crypto', 'url', 'zlib']

/** The packages that apps may import, also with the prefix `node:`. */
const PROVIDED_PACKAGES = [
  '@posthog/plugin-contrib',
  '@posthog/plugin-scaffold',
  'node-fetch',
  'pg',
  ...PROVIDED_MODULES,
]

export const notProvidedMessage = (name: string): string =>
  `Cannot import '${name}'! This package is not provided by Hedgerow in apps.`

/** Finds the package's name without `node:`, or undefined if apps may not import it. */
export function findProvidedPackage(name: string): string | undefined {
  const plain = name.replace(/^node:/, '')
  return PROVIDED_PACKAGES.includes(plain) ? plain : undefined
}
