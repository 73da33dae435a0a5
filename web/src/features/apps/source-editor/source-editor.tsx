import { Alert, Anchor, Button, Group, Skeleton, Text } from '@mantine/core'
import { IconAlertTriangle, IconTrash } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useUnsavedGuard } from '../../../ui/form/unsaved-guard.ts'
import { Card } from '../../../ui/page/card.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { ChosenFiles } from '../gallery/app-files.ts'
import { FileList } from './file-list.tsx'
import classes from './source.module.css'
import { parsePosition } from './source-position.ts'

const CodeEditor = lazy(() => import('./code-editor.tsx'))

interface SourceEditorProps {
  readonly title: string
  readonly about: ReactNode
  /** Stored or initial files. */
  readonly files: ChosenFiles
  readonly verb: string
  readonly error: Error | null
  readonly isSaving: boolean
  readonly isSaved?: boolean
  readonly onSave: (files: ChosenFiles) => void
}

export function SourceEditor(props: SourceEditorProps) {
  const { title, about, files: stored, verb, error, isSaving, isSaved = false, onSave } = props
  const [files, setFiles] = useState(stored)
  const [open, setOpen] = useState(() => pickFirst(stored))
  const [sent, setSent] = useState(stored)
  useUnsavedGuard(files !== sent || error !== null)
  const position = error ? parsePosition(error.message) : undefined
  const text = files[open]
  useEffect(() => {
    const position = error && parsePosition(error.message)
    if (position) setOpen(position.file)
  }, [error])

  const save = () => {
    setSent(files)
    onSave(files)
  }
  const remove = (name: string) => {
    const { [name]: _removed, ...rest } = files
    setFiles(rest)
    setOpen(pickFirst(rest))
  }
  return (
    <Page
      title={title}
      about={about}
      width="full"
      actions={
        <>
          {isSaved && !error && files === sent && (
            <Text size="sm" c="dimmed" role="status">
              Saved
            </Text>
          )}
          <Button loading={isSaving} onClick={save}>
            {verb}
          </Button>
        </>
      }
    >
      {error && <SourceError error={error} open={open} onShow={setOpen} />}
      <div className={classes.workbench}>
        <Card p="xs">
          <FileList
            names={Object.keys(files)}
            open={open}
            onOpen={setOpen}
            onAdd={(name) => {
              setFiles({ ...files, [name]: files[name] ?? '' })
              setOpen(name)
            }}
          />
        </Card>
        <Card p={0}>
          <Group justify="space-between" className={classes.bar}>
            <Text size="sm" fw={600}>
              {open || 'No file selected'}
            </Text>
            {text !== undefined && (
              <Button
                size="compact-xs"
                variant="subtle"
                color="gray"
                leftSection={<IconTrash size={14} />}
                onClick={() => remove(open)}
              >
                Remove file
              </Button>
            )}
          </Group>
          {text !== undefined && (
            <Suspense fallback={<Skeleton h={480} />}>
              <CodeEditor
                key={open}
                label={open}
                text={text}
                position={position?.file === open ? position : undefined}
                onChange={(next) => setFiles((current) => ({ ...current, [open]: next }))}
              />
            </Suspense>
          )}
        </Card>
      </div>
    </Page>
  )
}

interface SourceErrorProps {
  readonly error: Error
  /** Name of the open file. */
  readonly open: string
  readonly onShow: (file: string) => void
}

/** Shows the error, and a link to its file if another one is open. */
function SourceError({ error, open, onShow }: SourceErrorProps) {
  const position = parsePosition(error.message)
  return (
    <Alert
      color="red"
      role="alert"
      mb="md"
      icon={<IconAlertTriangle size={18} />}
      title={position ? `${position.file}, line ${position.line}` : 'Something went wrong'}
    >
      <Text size="sm" className={classes.problem}>
        {error.message}
      </Text>
      {position && open !== position.file && (
        <Anchor component="button" size="sm" onClick={() => onShow(position.file)}>
          Show error
        </Anchor>
      )}
    </Alert>
  )
}

const pickFirst = (files: ChosenFiles): string =>
  ['index.ts', 'index.js'].find((name) => name in files) ?? Object.keys(files)[0] ?? ''
