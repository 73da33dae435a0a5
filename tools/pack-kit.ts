import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { ROOT } from './sources.ts'

/** Run by `npm run pack:kit`: writes the tarball of `@hedgerow/app` into a folder, by default this one. */
const target = resolve(process.argv[2] ?? '.')
const folder = mkdtempSync(join(tmpdir(), 'hedgerow-kit-'))
process.chdir(ROOT)
try {
  const files = globSync('kit/*.ts')
  for (const file of files) {
    const code = stripTypeScriptTypes(readFileSync(file, 'utf8'))
    const name = basename(file).replace(/\.ts$/, '.js')
    writeFileSync(join(folder, name), withModules(code, '.js'))
  }
  writeTypes(files)
  cpSync('skeleton/hedgerow.d.ts', join(folder, 'hedgerow.d.ts'))
  for (const file of ['kit/package.json', 'kit/README.md', 'LICENSE']) {
    cpSync(file, join(folder, basename(file)))
  }
  execFileSync('npm', ['pack', '--pack-destination', target], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'ignore'],
  })
} finally {
  rmSync(folder, { recursive: true })
}

function writeTypes(files: readonly string[]): void {
  const options = ['--declaration', '--emitDeclarationOnly', '--outDir', folder]
  const like = ['--target', 'esnext', '--module', 'nodenext', '--types', 'node', '--skipLibCheck']
  const more = ['--allowImportingTsExtensions', '--rootDir', 'kit', '--ignoreConfig']
  execFileSync('node_modules/.bin/tsc', [...files, ...options, ...like, ...more], {
    stdio: 'inherit',
  })
  for (const file of globSync(join(folder, '*.d.ts'))) {
    writeFileSync(file, withModules(readFileSync(file, 'utf8'), '.js'))
  }
}

/** The types of apps are beside the harness in the package. */
function withModules(code: string, extension: string): string {
  return code
    .replaceAll('../skeleton/hedgerow.d.ts', './hedgerow.d.ts')
    .replaceAll(/(['"]\.\/\w+)\.ts(['"])/g, `$1${extension}$2`)
}
