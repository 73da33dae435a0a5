import { Skeleton, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import { lazyComponent } from '../../../ui/page/lazy-component.tsx'
import { useDashboardContext } from '../context.ts'
import { NEW_TEXT } from './state.ts'
import classes from './tile.module.css'
import { TileMenu } from './tile-menu.tsx'

const Markdown = lazy(() => import('../../../ui/page/markdown.tsx'))
const Writing = lazyComponent(async () => (await import('./text-editor.tsx')).TextEditor)

interface TextTileProps {
  readonly tile: Tile
  /** The user has just added the tile. */
  readonly isNew: boolean
}

export function TextTile({ tile, isNew }: TextTileProps) {
  const { canEdit, isKiosk, isPhone } = useDashboardContext()
  const body = tile.text?.body ?? ''
  const [isWriting, setWriting] = useState(isNew && body === NEW_TEXT)
  if (isWriting) return <Writing tile={tile} body={body} onEnd={() => setWriting(false)} />
  return (
    <>
      <header
        className={`tile-head ${classes.head}`}
        data-floating
        data-movable={(canEdit && !isPhone) || undefined}
      >
        {!isKiosk && <TileMenu tile={tile} onEdit={() => setWriting(true)} />}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users need to scroll it */}
      <div className={classes.prose} tabIndex={0}>
        {body === '' ? (
          <Text size="sm" c="dimmed">
            Empty text. Choose Edit from the menu.
          </Text>
        ) : (
          <Suspense fallback={<Skeleton h="100%" />}>
            <Markdown text={body} />
          </Suspense>
        )}
      </div>
    </>
  )
}
