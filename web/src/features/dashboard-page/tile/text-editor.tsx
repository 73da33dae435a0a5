import { Button, Group, SegmentedControl, Skeleton, Textarea } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import { useSelectOnMount } from '../../../ui/form/use-select-on-mount.ts'
import { useDashboardContext } from '../context.ts'
import { NEW_TEXT } from './state.ts'
import classes from './tile.module.css'

const Markdown = lazy(() => import('../../../ui/page/markdown.tsx'))

/** The API's limit. */
const MAX_LENGTH = 4000

interface TextEditorProps {
  readonly tile: Tile
  readonly body: string
  readonly onEnd: () => void
}

export function TextEditor({ tile, body, onEnd }: TextEditorProps) {
  const { editor } = useDashboardContext()
  const [draft, setDraft] = useState(body)
  const [view, setView] = useState('write')
  const field = useSelectOnMount<HTMLTextAreaElement>(body === NEW_TEXT)
  const save = () => {
    if (draft !== body)
      editor.edit('Changed a text', { tiles: [{ id: tile.id, text: { body: draft } }] })
    onEnd()
  }
  return (
    <div className={classes.writing}>
      {view === 'write' ? (
        <Textarea
          ref={field}
          aria-label="Text in Markdown"
          placeholder="Write in Markdown"
          flex={1}
          styles={{ wrapper: { height: '100%' }, input: { height: '100%', resize: 'none' } }}
          maxLength={MAX_LENGTH}
          value={draft}
          onChange={({ currentTarget }) => setDraft(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onEnd()
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
          }}
        />
      ) : (
        <div className={classes.prose}>
          <Suspense fallback={<Skeleton h="100%" />}>
            <Markdown text={draft} />
          </Suspense>
        </div>
      )}
      <Group justify="space-between" gap="xs">
        <SegmentedControl
          size="xs"
          aria-label="Write or preview"
          value={view}
          onChange={setView}
          data={[
            { value: 'write', label: 'Write' },
            { value: 'preview', label: 'Preview' },
          ]}
        />
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={onEnd}>
            Cancel
          </Button>
          <Button size="xs" onClick={save}>
            Save
          </Button>
        </Group>
      </Group>
    </div>
  )
}
