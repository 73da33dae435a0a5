import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useIsKiosk } from '../../shell/kiosk.ts'

const NO_KIOSK = { kiosk: undefined, rotate: undefined, seconds: undefined }

/** Full screen is TV mode; leaving one leaves the other. */
export function useFullScreen() {
  const isKiosk = useIsKiosk()
  const navigate = useNavigate()
  const setKiosk = (kiosk: true | undefined) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, ...(kiosk ? { kiosk } : NO_KIOSK) }),
      replace: true,
    })

  useEffect(() => {
    const leave = () => {
      if (!document.fullscreenElement) setKiosk(undefined)
    }
    document.addEventListener('fullscreenchange', leave)
    return () => document.removeEventListener('fullscreenchange', leave)
  })

  const leave = () => {
    if (document.fullscreenElement) void document.exitFullscreen()
    setKiosk(undefined)
  }
  return {
    isKiosk,
    leave,
    /** Also requests full screen from the browser. */
    toggle() {
      if (isKiosk) return leave()
      void document.documentElement.requestFullscreen?.().catch(() => undefined)
      setKiosk(true)
    },
  }
}
