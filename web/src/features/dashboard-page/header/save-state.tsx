import { ActionIcon, Button, Loader, Text, Tooltip } from '@mantine/core'
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCloudCheck,
} from '@tabler/icons-react'
import { useDashboardContext } from '../context.ts'
import type { EditorState } from '../editing/editor.ts'
import { useUndo } from '../editing/use-undo.ts'
import classes from '../page.module.css'
import { Ago } from '../tile/ago.tsx'

/** Shows "Saving…", "Saved just now" or the error. */
export function SaveState({ state }: { readonly state: EditorState }) {
  const { editor } = useDashboardContext()
  const { status, problem, savedAt } = state
  return (
    <div className={classes.saved} role="status">
      {status === 'saving' && (
        <>
          <Loader size={12} /> Saving…
        </>
      )}
      {status === 'saved' && savedAt !== null && (
        <>
          <IconCloudCheck size={16} aria-hidden /> <Ago time={savedAt} prefix="Saved" />
        </>
      )}
      {status === 'failed' && (
        <>
          <IconAlertTriangle size={16} aria-hidden />
          <Tooltip label={problem?.message} multiline maw={320}>
            <Text component="span" size="xs" maw={260} truncate>
              Not saved: {problem?.message}
            </Text>
          </Tooltip>
          <Button size="compact-xs" variant="default" onClick={editor.retry}>
            Retry
          </Button>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={editor.discard}>
            Discard
          </Button>
        </>
      )}
    </div>
  )
}

export function UndoRedo({ state }: { readonly state: EditorState }) {
  const { undo, redo } = useUndo()
  const undoable = state.undo.at(-1)
  const redoable = state.redo.at(-1)
  return (
    <ActionIcon.Group>
      <Tooltip label={undoable ? `Undo: ${undoable.label}` : 'Nothing to undo'}>
        <ActionIcon
          variant="default"
          size={30}
          aria-label="Undo"
          disabled={!undoable?.inverse}
          onClick={undo}
        >
          <IconArrowBackUp size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={redoable ? `Redo: ${redoable.label}` : 'Nothing to redo'}>
        <ActionIcon
          variant="default"
          size={30}
          aria-label="Redo"
          disabled={!redoable}
          onClick={redo}
        >
          <IconArrowForwardUp size={16} />
        </ActionIcon>
      </Tooltip>
    </ActionIcon.Group>
  )
}
