import { Button, Group, Kbd, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlignLeft2, IconPlayerPlay } from '@tabler/icons-react'
import { lazy, Suspense, useRef } from 'react'
import type { HogQLQuery } from '#model/query-kinds/sql.schema.ts'
import { useNamesLoader } from '../../definitions-api.ts'
import { useFieldError } from '../../editor/errors.tsx'
import type { FormProps } from '../../editor/forms/section.tsx'
import { ExplainButton, ExplainResult, useExplain } from './explain.tsx'
import { formatSql } from './format-sql.ts'
import { useHistory } from './history.ts'
import { PastQueries } from './past-queries.tsx'
import { ResultPlaceButton } from './result-place.tsx'
import type { SqlEditorHandle } from './sql-editor.tsx'
import { TableList } from './table-list.tsx'
import { ToolButton } from './tool-button.tsx'
import classes from './workspace.module.css'

const SqlEditor = lazy(() => import('./sql-editor.tsx'))

/** The workspace of SQL: tables and columns, the editor, and queries of before. */
export default function SqlForm({ source, onChange, onRun, isRunning }: FormProps<HogQLQuery>) {
  const loadNames = useNamesLoader()
  const problem = useFieldError('query')
  const editor = useRef<SqlEditorHandle>(null)
  const { past, remember, forget } = useHistory()
  const explaining = useExplain()
  const setText = (query: string) => onChange({ ...source, query })
  const run = (text: string) => {
    remember(text)
    onRun(text)
  }
  return (
    <Stack gap="xs" className={classes.room}>
      <div className={classes.workspace}>
        <TableList onInsert={(name) => editor.current?.insert(name)} />
        <Suspense fallback={<Skeleton h={250} />}>
          <SqlEditor
            ref={editor}
            text={source.query}
            loadNames={loadNames}
            onChange={setText}
            onRun={run}
          />
        </Suspense>
      </div>
      {problem && (
        <Text size="sm" c="red" role="alert">
          {problem}
        </Text>
      )}
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed" className={classes.hint ?? ''}>
          One read-only SELECT.
        </Text>
        <Group gap="xs" ml="auto">
          <ResultPlaceButton />
          <PastQueries past={past} onChoose={setText} onForget={forget} />
          <ToolButton
            tooltip="Indent the text"
            leftSection={<IconAlignLeft2 size={14} />}
            onClick={() => setText(formatSql(source.query))}
          >
            Format
          </ToolButton>
          <ExplainButton explaining={explaining} query={source} />
          <Button
            size="xs"
            leftSection={<IconPlayerPlay size={14} />}
            rightSection={
              <Kbd size="xs" visibleFrom="sm">
                Ctrl Enter
              </Kbd>
            }
            loading={isRunning}
            onClick={() => run(source.query)}
          >
            Run
          </Button>
        </Group>
      </Group>
      <ExplainResult explaining={explaining} />
    </Stack>
  )
}
