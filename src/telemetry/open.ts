import { createExporter } from './otlp.ts'
import { readTracingSettings } from './settings.ts'
import { createTracer, NO_TRACER, type Tracer } from './tracer.ts'

/** Opens a tracer with OpenTelemetry's variables, or one that does nothing. */
export function openTracer(
  env: Readonly<Record<string, string | undefined>>,
  version: string,
  warn: (message: string) => void,
): Tracer {
  const settings = readTracingSettings(env, warn)
  if (!settings) return NO_TRACER
  const exporter = createExporter(settings, version, warn)
  return createTracer({ ...settings, export: exporter.add, close: exporter.close })
}
