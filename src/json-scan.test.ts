import { describe, expect, it } from 'vitest'
import { findTextEnd } from './json-scan.ts'

describe('findTextEnd', () => {
  const texts = ['', 'a', '\\', '"', '\\"', 'a"b\\', '\\\\"\\', '['].flatMap((text) =>
    [0, 1, 59, 60, 61, 62, 63, 64, 65, 66, 200].map((length) => 'x'.repeat(length) + text),
  )

  it.each(texts.flatMap((text) => [text, `${text}y"z`]))('finds the end of %j', (text) => {
    const json = JSON.stringify(text)

    const bytes = Buffer.from(` ${json}, "more"`)

    expect(findTextEnd(bytes, 1)).toBe(json.length)
    expect(findTextEnd(bytes.subarray(0, json.length), 1)).toBe(json.length)
  })
})
