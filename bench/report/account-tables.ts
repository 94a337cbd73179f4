/** The cost breakdown of a creation, as tables for the terminal and for docs/performance.md. */
import type { Account, StatementCost, Written } from '../measurements/account.ts'

type AccountTable = { title: string; columns: string[]; rows: string[][] }

const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
const tenths = (value: number): string => value.toFixed(1)

const sum = <T>(rows: readonly T[], of: (row: T) => number): number =>
  rows.reduce((total, row) => total + of(row), 0)

/** Sorted by size, largest first. */
function grouped(written: readonly Written[], key: (one: Written) => string): Written[][] {
  const groups = Map.groupBy(written, key)
  const size = (group: readonly Written[]) => sum(group, ({ bytes, fullPageBytes }) => bytes + fullPageBytes)
  return [...groups.values()].sort((a, b) => size(b) - size(a))
}

function figuresOf(name: string, group: readonly Written[]): string[] {
  return [
    name,
    sum(group, ({ records }) => records).toFixed(2),
    whole(sum(group, ({ bytes }) => bytes)),
    whole(sum(group, ({ fullPageBytes }) => fullPageBytes)),
  ]
}

function statementTable(title: string, statements: readonly StatementCost[]): AccountTable {
  const cells = (name: string, of: readonly StatementCost[]): string[] => [
    name,
    sum(of, ({ calls }) => calls).toFixed(2),
    tenths(sum(of, ({ planMicroseconds }) => planMicroseconds)),
    tenths(sum(of, ({ execMicroseconds }) => execMicroseconds)),
    tenths(sum(of, ({ blocks }) => blocks)),
    tenths(sum(of, ({ walRecords }) => walRecords)),
    whole(sum(of, ({ walBytes }) => walBytes)),
  ]
  const outer = statements.filter(({ inner }) => !inner)
  return {
    title,
    columns: ['', 'calls', 'plan µs', 'run µs', 'pages touched', 'WAL records', 'WAL bytes'],
    rows: [
      ...statements.map((one) => cells(`${one.inner ? '… inside: ' : ''}${one.label}`, [one])),
      cells('together', outer),
    ].filter(() => statements.length > 0),
  }
}

export function accountTables({ cpu, statements, statementsUnderLoad, written }: Account): AccountTable[] {
  return [
    {
      title: 'CPU time, under load',
      columns: ['', 'CPU µs'],
      rows: [
        ...cpu.map(({ who, microseconds }) => [who, whole(microseconds)]),
        ['together', whole(sum(cpu, ({ microseconds }) => microseconds))],
      ],
    },
    statementTable('Statements, one creation after the other', statements),
    statementTable('Statements, under load', statementsUnderLoad),
    {
      title: 'Write-ahead log by kind of record, under load',
      columns: ['', 'records', 'bytes', 'full pages'],
      rows: [...grouped(written, ({ record }) => record), written].map((group, index, groups) =>
        figuresOf(index === groups.length - 1 ? 'together' : (group[0]?.record ?? ''), group),
      ),
    },
    {
      title: 'Write-ahead log by table and index',
      columns: ['', 'records', 'bytes', 'full pages', 'kinds of record', 'what it is'],
      rows: grouped(written, ({ relation }) => relation ?? '').map((group) => [
        ...figuresOf(group[0]?.relation ?? 'of no table', group),
        group.map(({ record, bytes }) => `${record} ${whole(bytes)}`).join(', '),
        group[0]?.purpose ?? '',
      ]),
    },
  ].filter(({ rows }) => rows.length > 0)
}
