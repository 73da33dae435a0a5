import { ActionIcon, UnstyledButton } from '@mantine/core'
import { IconChevronRight, IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import type { Section } from '#model/grid.ts'
import { pluralize } from '#model/pluralize.ts'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import { lazyComponent } from '../../../ui/page/lazy-component.tsx'
import { LazyMenu } from '../../../ui/page/lazy-menu.tsx'
import { useDashboardContext } from '../context.ts'
import { loadDialogs } from '../load-dialogs.ts'
import classes from './section-title.module.css'
import { tileTitle } from './state.ts'

const EditableText = lazyComponent(async () => (await loadDialogs()).EditableText)
const SectionItems = lazyComponent(async () => (await loadDialogs()).SectionItems)

interface SectionTitleProps {
  readonly tile: Tile
  readonly isFolded: boolean
  /** The tiles of the section. */
  readonly count: number
  readonly onChoose: (tile: Tile, choice: Section) => void
}

/** The title of a section, which opens and folds it for this viewer. */
export function SectionTitle({ tile, isFolded, count, onChoose }: SectionTitleProps) {
  const { editor, canEdit, isPhone } = useDashboardContext()
  const [isRenaming, setRenaming] = useState(() => editor.takeNewTile(tile.id))
  const title = tileTitle(tile)
  return (
    <section
      className={`tile-head ${classes.section}`}
      data-movable={(canEdit && !isPhone && isFolded) || undefined}
      aria-label={title}
    >
      <h2 className={classes.title}>
        {isRenaming ? (
          <EditableText
            startsOpen
            value={title}
            label="Section title"
            placeholder="Section title"
            maxLength={400}
            onSave={(body) =>
              editor.edit('Renamed a section', { tiles: [{ id: tile.id, text: { body } }] })
            }
            onClose={() => setRenaming(false)}
          />
        ) : (
          <UnstyledButton
            className={classes.toggle}
            aria-expanded={!isFolded}
            onClick={() => onChoose(tile, isFolded ? 'open' : 'folded')}
          >
            <IconChevronRight size={18} className={classes.chevron} aria-hidden />
            <span className={classes.name}>{title}</span>
          </UnstyledButton>
        )}
      </h2>
      {isFolded && <span className={classes.count}>{pluralize(count, 'tile')}</span>}
      {canEdit && (
        <LazyMenu
          width={230}
          button={
            <ActionIcon
              className={`no-print ${classes.menu}`}
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={`Actions for ${title}`}
            >
              <IconDots size={16} />
            </ActionIcon>
          }
        >
          {() => <SectionItems tile={tile} count={count} onRename={() => setRenaming(true)} />}
        </LazyMenu>
      )}
    </section>
  )
}
