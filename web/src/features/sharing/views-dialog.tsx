import { Modal, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { pluralize } from '#model/pluralize.ts'
import type { LinkViews, PublicLink } from '#server/features/dashboards/links/schema.ts'
import { useProjectId } from '../../api/project.ts'
import { Loading, QueryContent } from '../../ui/page/states.tsx'
import { type LinkTarget, linkViewsQuery } from './api.ts'
import { nameOf } from './link-texts.ts'
import classes from './sharing.module.css'

interface ViewsDialogProps {
  readonly target: LinkTarget
  readonly link: PublicLink
  readonly onClose: () => void
}

/** Fits the dialog. The API has more. */
const DAYS = 30

/** Shows when a link was opened, and by which guests. */
export function ViewsDialog({ target, link, onClose }: ViewsDialogProps) {
  const views = useQuery(linkViewsQuery(useProjectId(), { target, id: link.id }))
  return (
    <Modal opened onClose={onClose} title={`Views of “${nameOf(link)}”`} size="md">
      <QueryContent query={views} loading={<Loading lines={4} />}>
        {({ results, guests }) =>
          results.length === 0 ? (
            <Text size="sm" c="dimmed">
              Not opened yet.
            </Text>
          ) : (
            <Stack>
              <Days days={results.slice(0, DAYS)} />
              {guests.length > 0 && <Guests guests={guests} />}
            </Stack>
          )
        }
      </QueryContent>
    </Modal>
  )
}

function Days({ days }: { readonly days: LinkViews['results'] }) {
  const most = Math.max(...days.map(({ views }) => views))
  return (
    <Table aria-label="Views by day" verticalSpacing={4}>
      <Table.Tbody>
        {days.map(({ day, views }) => (
          <Table.Tr key={day}>
            <Table.Th scope="row" w={110} fw={400}>
              {day}
            </Table.Th>
            <Table.Td>
              <meter className={classes.bar} min={0} max={most} value={views} aria-hidden />
            </Table.Td>
            <Table.Td w={100} ta="right">
              {pluralize(views, 'view')}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

const Guests = ({ guests }: Pick<LinkViews, 'guests'>) => (
  <Table aria-label="Views by guest" verticalSpacing={4}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>Guest</Table.Th>
        <Table.Th>Last view</Table.Th>
        <Table.Th ta="right">Views</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {guests.map(({ email, views, last_day }) => (
        <Table.Tr key={email}>
          <Table.Td className={classes.address}>{email}</Table.Td>
          <Table.Td className={classes.day}>{last_day}</Table.Td>
          <Table.Td ta="right">{views.toLocaleString('en')}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)
