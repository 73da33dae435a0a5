import { describe, expect, it } from 'vitest'
import { detectDialect } from './dialect.ts'

describe('the delimiter', () => {
  it.each([
    ['a,b,c\n1,2,3\n', ','],
    ['a;b;c\n1,5;2,5;3,5\n', ';'],
    ['a\tb\n1,5\t"x\ty"\n', '\t'],
    ['a|b\n1|2\n', '|'],
    ['name,note\nx,"a;b;c;d"\ny,"e;f;g;h"\n', ','],
    ['only\none\n', ','],
    ['', ','],
  ])('of %j is detected', (sample, expected) => {
    expect(detectDialect(sample, 'auto').delimiter).toBe(expected)
  })

  it('follows the setting', () => {
    expect(detectDialect('a,b\n', 'tab').delimiter).toBe('\t')
    expect(detectDialect('a,b\n', ';').delimiter).toBe(';')
  })

  it('is detected in lines that end with CR alone', () => {
    expect(detectDialect('a;b\r1;2\r', 'auto')).toEqual({ delimiter: ';', newline: '\r' })
    expect(detectDialect('a;b\r\n1;2\r\n', 'auto').newline).toBe('\n')
  })
})
