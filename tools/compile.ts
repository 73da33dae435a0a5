import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { buildSync } from 'esbuild'
import { findCommit } from '../src/cli/commit.ts'
import { BUNDLED_PACKAGES, bundlePackages } from '../src/cli/packages.ts'
import { ROOT } from './sources.ts'

/** Quoted paths of modules: of imports, threads and processes. Some contain the ID of a query kind. */
const MODULE = /(['"`])(\.{1,2}|#server|#model)(\/[\w./${}-]+)\.ts\1/g
const ALIASES: Readonly<Record<string, string>> = { '#server': 'src', '#model': 'src/model' }
/** The modules that contain their packages. */
const BUNDLES = ['lib/pictures/child/echarts.js', 'lib/features/accounts/passkeys/webauthn.js']
/** The packages of which a package of ours contains parts. */
const BUNDLED = [
  ...['echarts', 'zrender', '@expo-google-fonts/inter', '@fontsource-variable/inter'],
  ...['@simplewebauthn/server', '@hexagon/base64', '@levischuck/tiny-cbor', '@peculiar/*'],
  ...['asn1js', 'pvtsutils', 'pvutils', 'reflect-metadata', 'tslib', 'tsyringe'],
]
/** The files that are used of packages with every weight, style and alphabet: src/pictures/child/find-font.ts. */
const FONTS = [
  '@expo-google-fonts/inter/{400Regular,500Medium,600SemiBold}/*.ttf',
  '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
]

/**
 * Run by `npm pack`: writes the JavaScript of `src/` into `lib/`, because Node does not run TypeScript below
 * `node_modules`. Types become spaces, so lines and columns stay; folders are as deep as in `src/`, so relative paths to
 * `docs/` or `web/dist` stay too.
 */
process.chdir(ROOT)
rmSync('lib', { recursive: true, force: true })
for (const file of globSync('src/**/*.ts', { exclude: ['**/*.test.ts'] })) {
  const target = file.replace(/^src/, 'lib').replace(/\.ts$/, '.js')
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(
    target,
    withModules(stripTypeScriptTypes(readFileSync(file, 'utf8')), dirname(file)),
  )
}
for (const file of globSync('src/**/*.mmdb.br')) cpSync(file, file.replace(/^src/, 'lib'))
buildSync({
  entryPoints: BUNDLES,
  outdir: 'lib',
  outbase: 'lib',
  allowOverwrite: true,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node26',
  minify: true, // a megabyte less
  logLevel: 'warning',
})
await bundlePackages(join(ROOT, 'lib/packages'))
for (const name of [...BUNDLED, ...BUNDLED_PACKAGES]) {
  for (const file of globSync(
    `node_modules/${name}/{LICENSE,LICENSE.md,LICENSE.txt,LICENSE_FONT,NOTICE,license}`,
  )) {
    cpSync(file, join('lib/licenses', relative('node_modules', file)))
  }
}

for (const file of globSync(FONTS, { cwd: 'node_modules' })) {
  cpSync(join('node_modules', file), join('lib/fonts', basename(file)))
}
// an image is built without the repository
writeFileSync('lib/commit', process.env.HEDGEROW_COMMIT || findCommit())

/** Names the compiled modules, by relative paths: aliases lead to `src/`. */
function withModules(code: string, folder: string): string {
  return code.replaceAll(MODULE, (_, quote: string, start: string, path: string) => {
    const alias = ALIASES[start]
    const from = alias ? relative(folder, alias + path) : start + path
    return `${quote}${from.startsWith('.') ? from : `./${from}`}.js${quote}`
  })
}
