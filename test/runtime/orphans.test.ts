import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findSandbox } from '#server/runtime/process/sandbox.ts'
import { createSpec, eventually, recordServices, run, startRuntime } from './apps.ts'
import { appsOf, watchApps } from './processes.ts'

const SERVER = fileURLToPath(new URL('./server.fixture.ts', import.meta.url))

describe.runIf(existsSync('/proc/self/status'))('the process of an app', () => {
  it.runIf(findSandbox().endsWithServer)('does not outlive a server that is killed', async () => {
    const server = spawn(process.execPath, [SERVER], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void server.kill('SIGKILL'))
    let output = ''
    server.stdout.on('data', (part) => {
      output += part
    })
    await eventually(() => output.split('begun').length > 2)
    const apps = appsOf(server.pid ?? 0)

    server.kill('SIGKILL')

    expect(apps).toHaveLength(1)
    await eventually(() => apps.every((pid) => !existsSync(`/proc/${pid}`)))
  })

  it('ends when the runtime closes', async () => {
    const runtime = startRuntime()
    const listApps = watchApps()
    await run(runtime, await createSpec('export const runEveryMinute = () => {}'), recordServices())
    const during = listApps()

    await runtime.close()

    expect(during).toHaveLength(1)
    expect(listApps()).toEqual([])
  })
})
