import { Box, Text } from '@mantine/core'
import { toRows } from '#model/charts/rows.ts'
import { FiguresTable } from '../../../ui/figures-table.tsx'
import { toChart } from '../../../ui/to-chart.ts'
import type { usePreview } from './display/use-preview.ts'
import classes from './editor.module.css'

/** What the chart shows, as numbers: the same rows that its CSV file has. */
export function DataTab({ shown }: Pick<ReturnType<typeof usePreview>, 'shown'>) {
  if (!shown) return <Text c="dimmed">Nothing is computed yet.</Text>
  const { answer, node } = shown
  const { result } = toChart({
    query: node,
    result: answer.results,
    columns: answer.columns ?? null,
  })
  const [columns = [], ...rows] = toRows(node, result)
  return (
    <Box className={classes.data}>
      <FiguresTable title="Data" columns={columns} rows={rows} />
    </Box>
  )
}
