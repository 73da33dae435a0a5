import { expect, it, onTestFinished } from 'vitest'
import { createConverter } from './converter.ts'

it('converts a body that arrives while its idle thread ends', async () => {
  const converter = createConverter(undefined)
  onTestFinished(() => converter.close())
  const convert = () => {
    const text = JSON.stringify({ api_key: 'phc_x', batch: [{ event: 'a', distinct_id: 'b' }] })
    const source = { address: '127.0.0.1', clientTime: undefined, format: 'posthog' as const }
    const task = { body: new Uint8Array(Buffer.from(text)), maxBytes: 1000, source }
    return converter.convert(task, async () => ({ ip: null }))
  }
  await convert()

  const ending = converter.close()
  const converted = await convert()
  await ending

  expect(converted).toMatchObject({ problem: undefined, events: [{}] })
})
