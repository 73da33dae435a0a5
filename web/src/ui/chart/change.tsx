import type { Change } from '#model/headline.ts'
import { paletteOf } from '#model/palette.ts'
import { useScheme } from './use-scheme.ts'

/** Shows how a number changed, with a colored arrow. */
export function ChangeText({ change: { arrow, mood, amount, rest } }: { readonly change: Change }) {
  const color = paletteOf(useScheme())[mood]
  return (
    <>
      {arrow && (
        <strong style={{ color }}>
          <span aria-label={arrow === '↑' ? 'up' : 'down'} role="img">
            {arrow}
          </span>{' '}
          {amount}{' '}
        </strong>
      )}
      {rest}
    </>
  )
}
