import { Modal } from '@mantine/core'
import classes from './behind-point.module.css'
import { DataTable, type DataTableProps } from './data-table.tsx'

interface DataDialogProps extends DataTableProps {
  readonly title: string
  readonly onClose: () => void
}

/** Shows the data of a chart as a table, for users who cannot use a pointer. */
export const DataDialog = ({ title, onClose, ...table }: DataDialogProps) => (
  <Modal opened onClose={onClose} title={title} size="xl">
    <div className={classes.data}>
      <DataTable {...table} />
    </div>
  </Modal>
)
