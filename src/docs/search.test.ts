import { expect, it } from 'vitest'
import { createSearch } from './search.ts'

it('cuts excerpts between words', () => {
  const words = Array.from({ length: 120 }, (_, index) => `word${index}`)
  const text = words.with(60, 'backups').join(' ')
  const search = createSearch([{ path: 'long', title: 'Long', markdown: `# Long\n\n${text}` }])

  const excerpt = search('backup')[0]?.excerpt.join('') ?? ''

  expect(excerpt).toMatch(/^….*backups.*…$/)
  const shown = excerpt.slice(1, -1).split(' ')
  expect(shown.filter((word) => !words.includes(word))).toEqual(['backups'])
})
