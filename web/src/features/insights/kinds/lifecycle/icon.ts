export { IconHeartbeat as default } from '@tabler/icons-react'
