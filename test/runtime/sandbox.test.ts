import { describe, expect, it } from 'vitest'
import { NO_SANDBOX, type Sandbox } from '#server/runtime/process/sandbox.ts'
import { createSpec, recordServices, run, startRuntime } from './apps.ts'

const APP = `export const runEveryMinute = () => console.log('ran')`
const NONE: Sandbox = {
  open: () => NO_SANDBOX,
  endsWithServer: false,
  missing: 'setpriv was not found.',
}

describe('apps without the kernel sandbox', () => {
  it('run, and the operator is warned once', async () => {
    const warnings: string[] = []
    const services = recordServices()
    const runtime = startRuntime({
      warn: (text) => void warnings.push(text),
      findSandbox: () => NONE,
    })

    for (const spec of [await createSpec(APP), await createSpec(APP)])
      await run(runtime, spec, services)

    expect(services.messages()).toEqual(['ran', 'ran'])
    expect(warnings).toEqual(['The app sandbox is incomplete: setpriv was not found.'])
  })

  it('do not run if the operator requires the sandbox', async () => {
    const services = recordServices()
    const runtime = startRuntime({ requireSandbox: true, findSandbox: () => NONE })
    const spec = await createSpec(APP)

    const outcome = await run(runtime, spec, services)

    const message = 'Apps do not run here because the sandbox is required: setpriv was not found.'
    expect(outcome).toEqual({ ended: 'failed', by: 'infrastructure', message })
    expect(services.lines).toEqual([])
    await expect(runtime.describe(spec.code)).rejects.toThrow(message)
  })

  it('do not run if restricting the process fails', async () => {
    const services = recordServices()
    const broken = {
      ...NONE,
      missing: undefined,
      open: () => ({ ...NO_SANDBOX, restrict: () => Promise.reject(new Error('EPERM')) }),
    }
    const runtime = startRuntime({ findSandbox: () => broken })

    const outcome = await run(runtime, await createSpec(`console.log('top'); ${APP}`), services)

    expect(outcome).toEqual({
      ended: 'failed',
      by: 'infrastructure',
      message: "The app's process could not be sandboxed: EPERM",
    })
    expect(services.messages()).toEqual([])
  })
})
