import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { numRuns } from '../../test/support/vitest/effort.ts'
import { createCsvReader } from './reader.ts'

const read = (text: string, delimiter = ',') => createCsvReader(delimiter).read(text, true)
const fieldsOf = (text: string, delimiter = ',') => read(text, delimiter).map((row) => row.fields)

/** Splits the bytes at the given positions. */
function readInPieces(text: string, cuts: readonly number[], delimiter = ',') {
  const reader = createCsvReader(delimiter)
  const ends = cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b)
  const pieces = [0, ...ends].map((start, index) => text.slice(start, ends[index]))
  return [...pieces.flatMap((piece) => reader.read(piece)), ...reader.read('', true)]
}

const quoted = (field: string) => `"${field.replaceAll('"', '""')}"`
const hostile = fc.string({
  unit: fc.constantFrom('a', 'é', '𝄞', ' ', ',', ';', '"', '\n', '\r', '\t'),
})

describe('a CSV reader', () => {
  it.each([
    [
      'plain fields',
      'a,b\nc,d\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a last line without an end',
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'lines that end with CRLF',
      'a,b\r\nc,"d"\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a last CRLF line that is cut', 'a\r\n"b"\r', [['a'], ['b']]],
    [
      'empty fields',
      ',a,\n,,\n',
      [
        ['', 'a', ''],
        ['', '', ''],
      ],
    ],
    ['quoted empty fields', '"",a,""\n', [['', 'a', '']]],
    ['delimiters in quotes', '"a,b",c\n', [['a,b', 'c']]],
    ['doubled quotes', '"say ""hi""",""""\n', [['say "hi"', '"']]],
    [
      'line breaks in quotes',
      '"a\nb\r\nc",d\ne,f\n',
      [
        ['a\nb\r\nc', 'd'],
        ['e', 'f'],
      ],
    ],
    ['a quote inside an unquoted field', '5" pipe,x\n', [['5" pipe', 'x']]],
    ['an unquoted field after a quoted one', '"a",b"c\n', [['a', 'b"c']]],
    ['spaces, which belong to the field', ' a , b\n', [[' a ', ' b']]],
    ['an empty line', 'a\n\nb\n', [['a'], [''], ['b']]],
    ['nothing', '', []],
  ])('reads %s', (_, text, expected) => {
    expect(fieldsOf(text)).toEqual(expected)
  })

  it('returns the line on which each row begins', () => {
    expect(read('a\n"b\nc\nd"\n\ne\n').map(({ line }) => line)).toEqual([1, 2, 5, 6])
  })

  it('loses only the first line of a row whose quote is never closed', () => {
    const rows = read('a,b\nc,"d\ne,f\ng,h\n')

    expect(rows).toEqual([
      { line: 1, fields: ['a', 'b'] },
      { line: 2, fields: [], problem: 'a quote is never closed.' },
      { line: 3, fields: ['e', 'f'] },
      { line: 4, fields: ['g', 'h'] },
    ])
  })

  it('continues after a quote that is not closed within the length limit', () => {
    const reader = createCsvReader(',', '\n', 100)
    const lines = Array.from({ length: 50 }, (_, index) => `${index},x\n`)

    const rows = [`a,"b\n`, ...lines].flatMap((piece) => reader.read(piece))

    expect(rows[0]).toMatchObject({ line: 1, problem: 'a quote is never closed.' })
    expect(rows.slice(1)).toEqual(
      lines.map((_, index) => ({ line: index + 2, fields: [String(index), 'x'] })),
    )
  })

  it('reports text after a closing quote', () => {
    expect(read('"a"b,c\nd,e\n')).toEqual([
      { line: 1, fields: [], problem: expect.stringContaining('closing quote') },
      { line: 2, fields: ['d', 'e'] },
    ])
  })

  it('refuses a line beyond the length limit', () => {
    const reader = createCsvReader(',', '\n', 100)

    expect(() => reader.read('x'.repeat(101))).toThrow('Line 1 is longer than 100 characters')
  })

  it('reads lines that end with CR alone', () => {
    expect(createCsvReader(',', '\r').read('a,"b"\rc,d\r', true)).toEqual([
      { line: 1, fields: ['a', 'b'] },
      { line: 2, fields: ['c', 'd'] },
    ])
  })

  it('reads back any fields', () => {
    const table = fc.array(fc.array(hostile, { minLength: 1, maxLength: 5 }), { minLength: 1 })
    fc.assert(
      fc.property(table, fc.constantFrom(',', ';', '\t', '|'), (rows, delimiter) => {
        const text = rows.map((row) => `${row.map(quoted).join(delimiter)}\r\n`).join('')

        expect(fieldsOf(text, delimiter)).toEqual(rows)
      }),
    )
  })

  it('reads the same rows however they are split into two or three chunks', () => {
    const rows = ['a,b', '"c\nd"', '"e\r\nf","g"', 'h,"i""\n"""', '"j"k', '"l\nm"']
    const text = rows.map((row) => `${row}\r\n`).join('')

    for (let cut = 0; cut <= text.length; cut += 1) {
      for (let other = cut; other <= text.length; other += 1) {
        expect(readInPieces(text, [cut, other])).toEqual(read(text))
      }
    }
  })

  it('reads the same rows from any chunks of any text', () => {
    fc.assert(
      fc.property(hostile, fc.array(fc.nat(), { maxLength: 6 }), (text, cuts) => {
        expect(readInPieces(text, cuts)).toEqual(read(text))
      }),
      numRuns(2000, 400),
    )
  })
})
