import { memo } from 'react'
import type { LogEntry } from '#server/features/import-apps/runs/schema.ts'
import { useZone } from '../../../ui/page/zone.ts'
import { toZonedDay } from '../../../ui/page/zoned-day.ts'
import classes from '../apps.module.css'

const CLASSES: Partial<Record<LogEntry['type'], string>> = {
  DEBUG: classes.quiet,
  WARN: classes.warn,
  ERROR: classes.error,
}

const SOURCES: Readonly<Record<LogEntry['source'], string>> = {
  CONSOLE: 'console',
  PLUGIN: 'app',
  SYSTEM: 'hedgerow',
}

/** Omits the date for today. */
function toTime(timestamp: string, zone: string | undefined): string {
  const time = toZonedDay(timestamp, zone)
  const isToday = time.isSame(toZonedDay(Date.now(), zone), 'day')
  return time.format(isToday ? 'HH:mm:ss' : 'D MMM HH:mm:ss')
}

export const LogRow = memo(({ line }: { readonly line: LogEntry }) => (
  <div className={classes.line}>
    <time className={classes.quiet} dateTime={line.timestamp} title={line.timestamp}>
      {toTime(line.timestamp, useZone())}
    </time>
    <span className={CLASSES[line.type] ?? classes.quiet}>{line.type.toLowerCase()}</span>
    <span className={classes.quiet}>{SOURCES[line.source]}</span>
    <span className={`${classes.message} ${CLASSES[line.type] ?? ''}`}>{line.message}</span>
  </div>
))

/** Plain text for the clipboard. */
export const toLogText = ({ timestamp, type, source, message }: LogEntry): string =>
  `${timestamp} ${type} ${source} ${message}`
