import { ActionIcon, Button, Group, Popover, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconTag } from '@tabler/icons-react'
import { lazyComponent } from '../../../ui/page/lazy-component.tsx'
import { useDashboardContext } from '../context.ts'
import { loadDialogs } from '../load-dialogs.ts'
import classes from '../page.module.css'

const TagsForm = lazyComponent(async () => (await loadDialogs()).TagsForm)

export function Tags({ tags }: { readonly tags: readonly string[] }) {
  const { canEdit } = useDashboardContext()
  if (tags.length === 0 && !canEdit) return null
  return (
    <Group gap={6} mt={6}>
      {tags.map((tag) => (
        <span key={tag} className={classes.tag}>
          {tag}
        </span>
      ))}
      {canEdit && <EditTags tags={tags} />}
    </Group>
  )
}

function EditTags({ tags }: { readonly tags: readonly string[] }) {
  const [isOpen, { toggle, close }] = useDisclosure()
  return (
    <Popover opened={isOpen} onChange={close} width={280} position="bottom-start" trapFocus>
      <Popover.Target>
        {tags.length === 0 ? (
          <Button
            className="no-print"
            size="compact-xs"
            ml={-8}
            variant="subtle"
            color="gray"
            leftSection={<IconTag size={14} />}
            onClick={toggle}
          >
            Add tags
          </Button>
        ) : (
          <Tooltip label="Edit tags">
            <ActionIcon
              className="no-print"
              size="xs"
              variant="subtle"
              color="gray"
              aria-label="Edit tags"
              onClick={toggle}
            >
              <IconTag size={14} />
            </ActionIcon>
          </Tooltip>
        )}
      </Popover.Target>
      <Popover.Dropdown>
        <TagsForm tags={tags} onEnd={close} />
      </Popover.Dropdown>
    </Popover>
  )
}
