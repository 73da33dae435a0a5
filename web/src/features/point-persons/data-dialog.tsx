import { Modal } from '@mantine/core'
import type { Chart } from '#model/chart.ts'
import { DataTable } from './data-table.tsx'

interface DataDialogProps {
  readonly chart: Chart
  readonly onClose: () => void
}

/** Shows the data of a chart as a table, for users who cannot use a pointer. */
export const DataDialog = ({ chart, onClose }: DataDialogProps) => (
  <Modal opened onClose={onClose} title={chart.title} size="xl">
    <DataTable chart={chart} />
  </Modal>
)
