import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useProjectId } from '../../api/project.ts'

/** Leads from an empty page to the ways to send events. */
export function ConnectButton() {
  const projectId = `${useProjectId()}`
  return (
    <Button
      renderRoot={(props) => (
        <Link {...props} to="/project/$projectId/connect" params={{ projectId }} />
      )}
    >
      Connect your data
    </Button>
  )
}
