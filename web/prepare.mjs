// Run by `npm install`. Without the development dependencies there is nothing to build the web app with.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))

if (existsSync(at('../node_modules/vite'))) {
  const { status } = spawnSync('npm', ['run', 'build'], { stdio: 'inherit', cwd: at('..') })
  process.exitCode = status ?? 1
} else if (!existsSync(at('dist/index.html'))) {
  console.warn(
    'Hedgerow: the web app is not built. Run "npm install --include=dev" once to build it.',
  )
}

// a server starts without these bundles too, but later
spawnSync('node', ['--no-warnings', at('../tools/bundle.ts')])
