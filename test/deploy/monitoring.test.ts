/**
 * The alerts and the dashboard in deploy/monitoring query metrics that the service exports, docs/operations/monitoring.md lists those, and
 * every alert has a runbook.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { parse } from 'yaml'
import type { Deps } from '../../src/deps.ts'
import { watchBacklog } from '../../src/operations/metrics/backlog.ts'
import { processRegistry, watchRequests } from '../../src/operations/metrics/registry.ts'

type Rule = { alert: string; expr: string; labels: { severity: string }; annotations: { summary: string } }
type Job = {
  job_name: string
  static_configs?: { targets: string[] }[]
  relabel_configs?: { replacement?: string }[]
}
type Panel = { type: string; title: string; targets?: { expr: string }[] }

const root = join(import.meta.dirname, '../..')
const text = (path: string): string => readFileSync(join(root, path), 'utf8')

const { groups } = parse(text('deploy/monitoring/alerts.yaml')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)
const { panels } = JSON.parse(text('deploy/monitoring/dashboard.json')) as { panels: Panel[] }
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
]

/** Metrics of exporters and of Prometheus itself. */
const foreign = /^(?:up|(?:node|probe|pg)_\w+)$/

/** The metrics in an expression: words with an underscore, or `up`, that are neither functions nor labels. */
function metricsOf(expr: string): string[] {
  const outside = expr
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}|\b(?:by|on) \([^)]*\)|\[[^\]]*\]/g, ' ')
  return [...outside.matchAll(/\b([a-z]\w*_\w+|up)\b(?!\s*\()/g)].map(([, name = '']) =>
    name.replace(/_(?:bucket|sum|count)$/, ''),
  )
}

const deps = { config: { geocoder: 'georef' }, replica: {} } as unknown as Deps
const registry = processRegistry(deps)
watchRequests(registry)({ addHook: () => {} } as unknown as FastifyInstance)
watchBacklog(registry, deps)
const known = registry.getMetricsAsArray().map(({ name }) => name)

test('docs/operations/monitoring.md lists the metrics that the service exports', () => {
  const cells = [...text('docs/operations/monitoring.md').matchAll(/^\| (`listings_[^|]+) \|/gm)].map(
    ([, cell = '']) => cell,
  )
  const documented = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name))
  assert.deepEqual(documented.sort(), known.filter((name) => name.startsWith('listings_')).sort())
})

describe('deploy/monitoring', () => {
  test('queries metrics that the service exports', () => {
    const asked = [...new Set(expressions.flatMap(metricsOf))].filter((name) => !foreign.test(name))
    assert.ok(asked.length > 15)
    assert.deepEqual(
      asked.filter((name) => !known.includes(name)),
      [],
    )
  })

  test('has a runbook for each alert, and an alert for each runbook', () => {
    const headings = [...text('docs/operations/alerts.md').matchAll(/^## (Listings\w+)$/gm)].map(
      ([, name]) => name,
    )
    assert.deepEqual(headings.sort(), rules.map(({ alert }) => alert).sort())
  })

  test('gives each alert a summary and a severity', () => {
    for (const { alert, labels, annotations } of rules) {
      assert.ok(['page', 'ticket'].includes(labels.severity), alert)
      assert.ok(annotations.summary.length > 20, alert)
    }
  })

  test('has a job for each exporter that the rules need, and the exporter in compose.yaml', () => {
    const { scrape_configs: jobs } = parse(text('deploy/monitoring/prometheus.example.yaml'), {
      merge: true,
    }) as {
      scrape_configs: Job[]
    }
    const { services } = parse(text('deploy/compose.yaml'), { merge: true }) as {
      services: Record<string, object>
    }
    const hosts = jobs.flatMap(({ static_configs: targets = [], relabel_configs: labels = [] }) =>
      [
        ...targets.flatMap((one) => one.targets),
        ...labels.flatMap(({ replacement = [] }) => replacement),
      ].map((target) => target.replace(/^http:\/\//, '').split(':', 1)[0] ?? ''),
    )
    assert.deepEqual(
      hosts.filter((host) => !(host in services)),
      [],
    )
    const asked = [...new Set(rules.flatMap(({ expr }) => metricsOf(expr)))].filter((name) =>
      foreign.test(name),
    )
    const exporters = {
      up: 'service',
      node: 'node-exporter',
      probe: 'blackbox-exporter',
      pg: 'postgres-exporter',
    }
    const needed = new Set(asked.map((name) => exporters[name.split('_', 1)[0] as keyof typeof exporters]))
    assert.deepEqual([...needed].sort(), Object.values(exporters).sort())
    for (const host of needed) assert.ok(hosts.includes(host), host)
    const named = rules.flatMap(({ expr }) => [...expr.matchAll(/job="([^"]+)"/g)].map(([, job]) => job))
    const names = jobs.map(({ job_name: name }) => name)
    assert.deepEqual(
      named.filter((name) => !names.includes(String(name))),
      [],
    )
  })

  test('shows something in each panel', () => {
    for (const { type, title, targets = [] } of panels)
      assert.equal(targets.length > 0, type !== 'row', title)
  })
})
