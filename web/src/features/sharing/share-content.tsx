import { Alert, Divider, Stack, Text } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { CAN_EDIT } from '#model/levels.ts'
import { useProjectId } from '../../api/project.ts'
import { QueryContent } from '../../ui/page/states.tsx'
import { userName } from '../../ui/page/user-name.ts'
import { permissionsQuery } from './api.ts'
import { MoreLinks } from './more-links.tsx'
import { People } from './people.tsx'
import { PublicLink } from './public-link.tsx'

export default function ShareContent({ dashboardId }: { readonly dashboardId: number }) {
  return (
    <QueryContent query={useQuery(permissionsQuery(useProjectId(), dashboardId))}>
      {(dashboard) => (
        <Stack gap="lg">
          {dashboard.effective_privilege_level !== CAN_EDIT && (
            <Alert icon={<IconEye size={18} />} variant="light" color="gray">
              <Text size="sm">
                You can view this dashboard, but not edit or share it.
                {dashboard.created_by &&
                  ` Ask ${userName(dashboard.created_by)} or an admin for access.`}
              </Text>
            </Alert>
          )}
          <PublicLink dashboard={dashboard} />
          <MoreLinks
            target={{ kind: 'dashboard', id: dashboard.id }}
            title="More links"
            canChange={dashboard.effective_privilege_level === CAN_EDIT}
          />
          <Divider />
          <People dashboard={dashboard} />
        </Stack>
      )}
    </QueryContent>
  )
}
