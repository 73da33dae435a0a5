import { describe, expect, it } from 'vitest'
import { createAppUsers } from '#server/runtime/process/app-users.ts'
import { findSandbox } from '#server/runtime/process/sandbox.ts'
import { createSpec, recordServices, run, startRuntime } from './apps.ts'
import { startEscaped } from './escaped.ts'
import { readStatus, watchApps } from './processes.ts'

const FIRST = 60_950
const range = { first: FIRST, last: FIRST + 10 }
const sandbox = findSandbox(range)
const isRoot = process.getuid?.() === 0 && !sandbox.missing

describe.runIf(isRoot)('the processes of apps of a root server', () => {
  it('each have their own user and group', async () => {
    const runtime = startRuntime({ appUsers: range })
    const listApps = watchApps()

    for (let i = 0; i < 3; i += 1) {
      await run(
        runtime,
        await createSpec('export const runEveryMinute = () => {}'),
        recordServices(),
      )
    }

    const apps = listApps()
    const users = apps.map((pid) => Number(readStatus(pid, 'Uid').split('\t')[0]))
    expect(new Set(users).size).toBe(3)
    expect(users.every((user) => user >= range.first && user <= range.last)).toBe(true)
    for (const [index, pid] of apps.entries()) {
      expect(new Set(readStatus(pid, 'Uid').split('\t'))).toEqual(new Set([`${users[index]}`]))
      expect(new Set(readStatus(pid, 'Gid').split('\t'))).toEqual(new Set([`${users[index]}`]))
      expect(readStatus(pid, 'Groups').trim()).toBe('')
      expect(readStatus(pid, 'CapEff')).toMatch(/^0+$/)
    }
  })

  it('cannot signal or renice the server or another app, even after an escape', async () => {
    const runtime = startRuntime({ appUsers: range })
    const listApps = watchApps()
    await run(runtime, await createSpec('export const runEveryMinute = () => {}'), recordServices())
    const [other] = listApps()

    const { services } = await startEscaped(
      `for (const pid of [process.ppid, ${other}]) {
        for (const signal of [0, 'SIGUSR1', 'SIGSTOP', 'SIGKILL']) await attempt(() => process.kill(pid, signal))
        await attempt(() => process._debugProcess(pid))
        await attempt(() => require('os').setPriority(pid, 19))
      }
      await attempt(() => process.setuid(0))
      await attempt(() => process.setgid(0))
      process.exit()`,
      sandbox,
    )

    expect(services.messages()).toHaveLength(14)
    expect(services.messages().filter((message) => !message.startsWith('refused'))).toEqual([])
  })

  it('fail to start if no user is left', async () => {
    const full = { ...sandbox, open: () => findSandbox({ first: 1, last: 0 }).open() }

    const outcome = await run(
      startRuntime({ findSandbox: () => full }),
      await createSpec('export const runEveryMinute = () => {}'),
      recordServices(),
    )

    expect(outcome).toEqual({
      ended: 'failed',
      by: 'infrastructure',
      message: "The app's process could not be sandboxed: all users from 1 to 0 have processes",
    })
  })
})

describe.runIf(process.platform === 'linux')('users of apps', () => {
  it('are assigned in turn, reused, and never those of a running process', () => {
    const own = process.getuid?.() ?? 0
    const users = createAppUsers({ first: Math.max(own, 1), last: Math.max(own, 1) + 2 })
    const [a, b] = [users.acquire(), users.acquire()]

    expect(a).not.toBe(b)
    expect([a, b]).not.toContain(own)
    users.release(a ?? 0)
    const rest = [users.acquire(), users.acquire()]
    expect(rest).toContain(a)
    expect(rest).toContain(own === 0 ? 3 : undefined)
  })
})
