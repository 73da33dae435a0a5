import { Modal } from '@mantine/core'
import type { Chart } from '#model/chart.ts'
import { DataTable } from './data-table.tsx'

interface DataDialogProps {
  readonly chart: Chart
  readonly onClose: () => void
}

/** The data of a chart as a table, for those who cannot point at the chart. */
export const DataDialog = ({ chart, onClose }: DataDialogProps) => (
  <Modal opened onClose={onClose} title={chart.title} size="xl">
    <DataTable chart={chart} />
  </Modal>
)
