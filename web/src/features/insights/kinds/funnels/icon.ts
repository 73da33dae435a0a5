export { IconFilter as default } from '@tabler/icons-react'
