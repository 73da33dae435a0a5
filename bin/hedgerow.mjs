#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as module from 'node:module'
import { fileURLToPath } from 'node:url'

const MIN_NODE = 26
/** The commands that run until they are stopped. */
const SERVERS = ['serve', 'worker', 'demo']

// Each statement of the event store keeps a thread of the pool busy, and so does reading a file or hashing a password.
process.env.UV_THREADPOOL_SIZE ??= '16'

boundMemoryOfThreads()

if (Number.parseInt(process.versions.node, 10) >= MIN_NODE) {
  // The cache of compiled code lies beside the packages, where only the installing user can write.
  module.enableCompileCache(
    fileURLToPath(new URL('../node_modules/.cache/hedgerow', import.meta.url)),
  )
  // a package has no sources, because Node does not run TypeScript below node_modules: tools/compile.ts
  const isPackage = !existsSync(new URL('../src', import.meta.url))
  const { findModule } = await import(
    isPackage ? '../lib/cli/find-module.js' : '#server/cli/find-module.ts'
  )
  module.registerHooks({
    resolve(specifier, context, nextResolve) {
      const found = findModule(specifier, context.parentURL)
      return found ? { ...found, shortCircuit: true } : nextResolve(specifier, context)
    },
  })
  const { main } = await import(isPackage ? '../lib/main.js' : '#server/main.ts')
  await main(process.argv)
} else {
  runOn(installedNode())
}

/**
 * Lets threads share two arenas. By default, glibc gives each thread its own and keeps what the thread frees, which was
 * 45 MB during an import. It reads the variable only when a program starts, so a server that was started without it
 * starts again in the same process. That takes 40 ms, hence `npm start` and the files for deploying set it.
 */
function boundMemoryOfThreads() {
  if (process.platform !== 'linux' || process.env.MALLOC_ARENA_MAX) return
  process.env.MALLOC_ARENA_MAX = '2'
  if (!SERVERS.includes(process.argv[2])) return
  process.execve?.(
    process.execPath,
    [process.execPath, ...process.execArgv, ...process.argv.slice(1)],
    process.env,
  )
}

/** Finds the Node that npm installs beside the packages. npm scripts use it automatically. */
function installedNode() {
  const require = module.createRequire(import.meta.url)
  const { platform, arch } = process
  for (const name of [`node-${platform}-${arch}`, `node-bin-${platform}-${arch}`]) {
    try {
      return require.resolve(`${name}/bin/node`)
    } catch {
      // not on this platform, or installed without optional packages
    }
  }
  process.stderr.write(
    `hedgerow: Hedgerow needs Node ${MIN_NODE} or newer, and this is Node ${process.versions.node}. Install it, or run "npm install" without --omit=optional.\n`,
  )
  process.exit(1)
}

function runOn(node) {
  const script = fileURLToPath(import.meta.url)
  const child = spawn(node, [script, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal))
  }
  child.on('exit', (code, signal) => {
    process.exitCode = signal ? 1 : (code ?? 1)
  })
}
