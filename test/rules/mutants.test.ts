import { describe, expect, it } from 'vitest'
import { findObstacle } from '../../tools/mutants/find-obstacle.ts'
import { MUTANTS } from '../../tools/mutants/mutants.ts'

describe('the mistakes of `npm run mutants`', () => {
  it('can all be planted', () => {
    const obstacles = MUTANTS.map((mutant) => ({ ...mutant, obstacle: findObstacle(mutant) }))
    const lost = obstacles.filter(({ obstacle }) => obstacle)
    expect(lost.map(({ name, obstacle }) => `${name}: ${obstacle}`)).toEqual([])
  })
})
